// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "fedstein/data/number.h"

namespace fedstein {
namespace {

// No number that anybody writes is longer.
constexpr std::size_t kLongestNumber = 400;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool may_begin_a_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'i' || c == 'I';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Of a number that double cannot hold: whether it is too small, by the power of ten of its first digit.
bool is_too_small(std::string_view number) {
  constexpr long kBeyondAll = 100'000;
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  std::string_view power = number.substr(std::min(mark + 1, number.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  long exponent = 0;
  const auto [stop, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error == std::errc::result_out_of_range || std::abs(exponent) > kBeyondAll) {
    exponent = power.starts_with('-') ? -kBeyondAll : kBeyondAll;
  }
  const std::string_view digits = number.substr(0, mark);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const auto point = static_cast<long>(std::min(digits.find('.'), digits.size()));
  return point - static_cast<long>(first) + exponent < 0;
}

CellKind read_pointed(std::string_view cell, double& value) {
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double read = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), read);
  if (error == std::errc::invalid_argument || stop != cell.data() + cell.size()) return CellKind::kText;
  if (error == std::errc::result_out_of_range && is_too_small(cell)) {
    value = 0;
    return CellKind::kNumber;
  }
  if (error == std::errc::result_out_of_range || std::isinf(read)) return CellKind::kOutOfRange;
  if (std::isnan(read)) return CellKind::kText;
  if (std::abs(read) > static_cast<double>(std::numeric_limits<Real>::max())) return CellKind::kOutOfRange;
  value = read;
  return CellKind::kNumber;
}

// Takes between `least` and `most` digits from the front.
bool take_digits(std::string_view& rest, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < rest.size() && count < most && is_digit(rest[count])) ++count;
  rest.remove_prefix(count);
  return count >= least;
}

bool take_one_of(std::string_view& rest, std::string_view allowed) {
  if (rest.empty() || allowed.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

// hh:mm, hh:mm:ss, hh:mm:ss.fff with Z, +hh:mm, AM or PM.
bool is_time(std::string_view rest) {
  if (!take_digits(rest, 1, 2) || !take_one_of(rest, ":") || !take_digits(rest, 2, 2)) return false;
  if (take_one_of(rest, ":")) {
    if (!take_digits(rest, 2, 2)) return false;
    if (take_one_of(rest, ".,") && !take_digits(rest, 1, 9)) return false;
  }
  take_one_of(rest, " ");
  if (take_one_of(rest, "+-")) {
    if (!take_digits(rest, 2, 2)) return false;
    take_one_of(rest, ":");
    return take_digits(rest, 0, 2) && rest.empty();
  }
  if (take_one_of(rest, "aApP")) return take_one_of(rest, "mM") && rest.empty();
  take_one_of(rest, "zZ");
  return rest.empty();
}

bool is_day(std::string_view& rest) {
  const char* begin = rest.data();
  if (!take_digits(rest, 1, 4)) return false;
  const auto first = rest.data() - begin;
  if (rest.empty()) return false;
  const char mark = rest.front();
  if (first == 3 || !take_one_of(rest, "-/.")) return false;
  if (!take_digits(rest, 1, 2) || !take_one_of(rest, {&mark, 1})) return false;
  return first == 4 ? take_digits(rest, 1, 2) : take_digits(rest, 2, 4);
}

}  // namespace

CellKind read_cell(std::string_view cell, char decimal, double& value) {
  const char* end = cell.data() + cell.size();
  if (decimal == '.') {
    double read = 0;
    if (read_plain_number(cell.data(), end, read) == end && !cell.empty()) {
      value = read;
      return CellKind::kNumber;
    }
  }
  cell = without_blanks_around(cell);
  if (cell.empty() || cell.size() > kLongestNumber || !(may_begin_a_number(cell.front()) || cell.front() == decimal)) {
    return CellKind::kText;
  }
  if (decimal == '.') return read_pointed(cell, value);
  if (cell.find('.') != std::string_view::npos) return CellKind::kText;
  std::array<char, kLongestNumber> pointed{};
  std::replace_copy(cell.begin(), cell.end(), pointed.begin(), decimal, '.');
  return read_pointed({pointed.data(), cell.size()}, value);
}

bool is_missing(std::string_view cell) {
  cell = without_blanks_around(cell);
  if (cell.empty()) return true;
  if (cell.size() > 4) return false;
  std::array<char, 4> small{};
  std::transform(cell.begin(), cell.end(), small.begin(), lower);
  const std::string_view word(small.data(), cell.size());
  return word == "na" || word == "nan" || word == "n/a" || word == "null" || word == "none" || word == "?" ||
         word == "#n/a" || word == "<na>" || word == "-nan";
}

bool looks_like_a_date(std::string_view cell) {
  cell = without_blanks_around(cell);
  if (cell.size() < 4 || cell.size() > 40 || !is_digit(cell.front())) return false;
  if (is_time(cell)) return true;
  std::string_view rest = cell;
  if (!is_day(rest)) return false;
  if (rest.empty()) return true;
  return take_one_of(rest, "tT ") && is_time(rest);
}

bool looks_like_thousands(std::string_view cell) {
  cell = without_blanks_around(cell);
  take_one_of(cell, "+-");
  if (!take_digits(cell, 1, 3) || cell.empty()) return false;
  const char mark = cell.front();
  if (std::string_view(",. '").find(mark) == std::string_view::npos) return false;
  while (take_one_of(cell, {&mark, 1})) {
    if (!take_digits(cell, 3, 3)) return false;
  }
  if (cell.empty()) return true;
  return take_one_of(cell,
                     mark == ','   ? "."
                     : mark == '.' ? ","
                                   : ".,") &&
         take_digits(cell, 1, kLongestNumber) && cell.empty();
}

bool looks_like_an_amount(std::string_view cell) {
  constexpr std::size_t kLongestSign = 4;  // bytes: a sign of currency has up to three, a blank before it
  const std::size_t first = cell.find_first_of("0123456789");
  const std::size_t last = cell.find_last_of("0123456789");
  if (first == std::string_view::npos) return false;
  const std::string_view before = cell.substr(0, first);
  const std::string_view behind = cell.substr(last + 1);
  if (before.empty() && behind.empty()) return looks_like_thousands(cell);
  if (before.size() > kLongestSign || behind.size() > kLongestSign) return false;
  constexpr std::array<std::string_view, 8> kSigns = {
      "$", "%", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "EUR", "USD", "CHF"};
  const bool has_sign = std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return before.find(sign) != std::string_view::npos || behind.find(sign) != std::string_view::npos;
  });
  const std::string_view digits = cell.substr(first, last + 1 - first);
  double value = 0;
  return has_sign && (looks_like_thousands(digits) || read_cell(digits, '.', value) == CellKind::kNumber ||
                      read_cell(digits, ',', value) == CellKind::kNumber);
}

std::string_view without_blanks_around(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  return cell;
}

std::string with_decimal_point(std::string_view cell, char decimal) {
  std::string text(without_blanks_around(cell));
  std::replace(text.begin(), text.end(), decimal, '.');
  return text;
}

}  // namespace fedstein
