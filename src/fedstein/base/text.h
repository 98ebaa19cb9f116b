// SPDX-License-Identifier: Apache-2.0
// Numbers and times as text, the same in every locale. The shortest exact form of a double is to_text() of
// base/check.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fedstein {

// With this many decimals: printf's %.Nf.
std::string fixed_text(double value, int decimals);
// With this many significant digits, without trailing zeros: printf's %.Ng.
std::string digits_text(double value, int digits);
// With this many decimals and an exponent: printf's %.Ne.
std::string scientific_text(double value, int decimals);
// Zeros in front up to this width: 7 as "07".
std::string padded_text(std::int64_t value, std::size_t width);

// How deeply brackets and braces are nested in a JSON text, those inside its strings left out. JSON libraries copy and
// free nested values recursively: a text of brackets alone can exhaust the stack.
int json_nesting(std::string_view text);
inline constexpr int kMostJsonNesting = 64;

// Seconds since 1970 as "2026-03-01T12:00:00Z", and its first ten characters.
std::string utc_text(std::int64_t seconds);
std::string utc_date(std::int64_t seconds);
// The time now, as utc_text.
std::string utc_now();

}  // namespace fedstein
