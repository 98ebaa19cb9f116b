// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "fedstein/data/error.h"

namespace fedstein {
namespace {

constexpr std::string_view kPlace = "column ";

char small_letter(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Letters to add, drop or exchange until `a` is `b`, in any case.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = diagonal + (small_letter(a[i - 1]) == small_letter(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row.back();
}

}  // namespace

std::string place_name(std::size_t place) {
  return std::string(kPlace) + std::to_string(place + 1);
}

std::string shown_column(const std::string& name) {
  const bool is_place = name.starts_with(kPlace) && name.size() > kPlace.size() && name.size() < 20 &&
                        name.find_first_not_of("0123456789", kPlace.size()) == std::string::npos;
  return is_place ? name : "column " + in_quotes(name);
}

std::string shown_list(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::string instead_of_column(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string* best = nullptr;
  // At most a third of the letters may differ.
  std::size_t fewest = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string& name : names) {
    if (wrong.size() > 64 || name.size() > 64) continue;
    const std::size_t longer = std::max(wrong.size(), name.size()) - std::min(wrong.size(), name.size());
    if (longer >= fewest) continue;
    const std::size_t apart = letters_apart(wrong, name);
    if (apart >= fewest) continue;
    fewest = apart;
    best = &name;
  }
  const std::string question = best == nullptr ? "" : "did you mean " + in_quotes(*best) + "? ";
  return "; " + question + "there are " + shown_list(names, 30);
}

Index place_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<Index>(found - names.begin());
}

std::string counted(Index count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string comments_remark(Index count, Index first_line) {
  return counted(count, "line") + " beginning with # taken as comments, first line " + std::to_string(first_line);
}

}  // namespace fedstein
