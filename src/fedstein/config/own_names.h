// SPDX-License-Identifier: Apache-2.0
// What the own version of an experiment (own_version.h) is called.
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

inline constexpr std::string_view kOwnEnding = "-own";

inline std::string own_version_of(std::string_view name) {
  return std::string(name) + std::string(kOwnEnding);
}

inline bool is_own_version(std::string_view name) {
  return name.ends_with(kOwnEnding);
}

// "toy-2d" of "toy-2d-own", and of "toy-2d".
inline std::string original_of(std::string_view name) {
  if (is_own_version(name)) name.remove_suffix(kOwnEnding.size());
  return std::string(name);
}

}  // namespace fedstein
