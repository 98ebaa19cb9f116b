// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace fedstein {

// "1 row", "2 rows", "2 classes": every count of things in a message is written with it.
template <std::integral Count>
std::string counted(Count count, std::string_view what) {
  std::string out = std::to_string(count) + " " + std::string(what);
  if (count != 1) out += what.ends_with('s') ? "es" : "s";
  return out;
}

}  // namespace fedstein
