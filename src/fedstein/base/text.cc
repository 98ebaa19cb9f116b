// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <limits>

namespace fedstein {
namespace {

std::string number_text(double value, std::chars_format form, int precision) {
  // The longest: the largest double with all its digits before the point, and as many decimals as anybody asks for.
  constexpr std::size_t kLongest = std::numeric_limits<double>::max_exponent10 + 64;
  std::array<char, kLongest> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, form, precision);
  return {text.data(), result.ptr};
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  return number_text(value, std::chars_format::fixed, decimals);
}

std::string digits_text(double value, int digits) {
  return number_text(value, std::chars_format::general, digits);
}

std::string scientific_text(double value, int decimals) {
  return number_text(value, std::chars_format::scientific, decimals);
}

std::string padded_text(std::int64_t value, std::size_t width) {
  const std::string text = std::to_string(value);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

int json_nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

std::string utc_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string utc_date(std::int64_t seconds) {
  const std::string text = utc_text(seconds);
  return text.substr(0, text.find('T'));
}

std::string utc_now() {
  return utc_text(std::time(nullptr));
}

}  // namespace fedstein
