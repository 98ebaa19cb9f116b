// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/plain_name.h"

namespace fedstein {

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kLongest = 63;
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  return !name.empty() && name.size() <= kLongest && name.front() != '.' && name.front() != '-' &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

}  // namespace fedstein
