// SPDX-License-Identifier: Apache-2.0
// Decimal text to Real, independent of the locale.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Reads the plain numbers that fill most files, [-]digits[.digits], and returns where they end; nullptr for anything
// else. Exact: the digits make an integer below 2^53, which one division by a power of ten rounds correctly once.
inline const char* read_plain_number(const char* at, const char* end, double& value) {
  constexpr std::array<double, 19> kPowersOfTen{
      1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  const char* first = at;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t count = at - first;
  std::ptrdiff_t decimals = 0;
  if (at != end && *at == '.') {
    first = ++at;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    decimals = at - first;
    count += decimals;
  }
  if (count == 0 || count > 18 || digits > (std::uint64_t{1} << 53)) return nullptr;
  value = static_cast<double>(digits) / kPowersOfTen[static_cast<std::size_t>(decimals)];
  if (negative) value = -value;
  return at;
}

// The whole of `text` as a finite number that fits into Real; otherwise `problem` says what was found and what was
// expected, and the result is 0. `problem` must be empty at the call.
Real parse_number(std::string_view text, std::string& problem);

// The same test for a number that is read already; `text` is how it is shown.
Real to_real(double value, std::string_view text, std::string& problem);

}  // namespace fedstein
