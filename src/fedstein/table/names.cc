// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/names.h"

#include <algorithm>

#include "fedstein/base/instead_of.h"
#include "fedstein/data/error.h"

namespace fedstein {
namespace {

constexpr std::string_view kPlace = "column ";

}  // namespace

std::string place_name(std::size_t place) {
  return std::string(kPlace) + std::to_string(place);
}

std::string shown_column(const std::string& name) {
  const bool is_place = name.starts_with(kPlace) && name.size() > kPlace.size() && name.size() < 20 &&
                        name.find_first_not_of("0123456789", kPlace.size()) == std::string::npos;
  return is_place ? name + " (from 0)" : "column " + in_quotes(name);
}

std::string shown_list(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::string instead_of_column(std::string_view wrong, const std::vector<std::string>& names) {
  return instead_of(
      wrong, names, {.lead = "there are ", .where_all = "`fedstein data describe FILE` shows all", .shown = in_quotes});
}

Index place_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<Index>(found - names.begin());
}

std::string comments_remark(Index count, Index first_line) {
  return counted(count, "line") + " beginning with # taken as comments, first line " + std::to_string(first_line);
}

}  // namespace fedstein
