// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// So that maps of strings are asked with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

// Beyond it two codes of many digits can be one number: there they are compared as texts.
inline constexpr double kMostCode = 9007199254740992.0;  // 2^53

// The values that a column of categories, classes or groups may have. Where all of them are numbers they are compared
// as numbers: 1, 1.0 and 01 are the same code.
class ValuePlaces {
 public:
  ValuePlaces() = default;
  explicit ValuePlaces(const std::vector<std::string>& values);

  // -1: not among them. `decimal` is the file's; the list itself has points.
  Index find(std::string_view cell, char decimal) const;
  bool empty() const { return by_text_.empty(); }

 private:
  bool are_numbers_ = false;
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> by_text_;
  std::unordered_map<double, Index> by_number_;
};

}  // namespace fedstein
