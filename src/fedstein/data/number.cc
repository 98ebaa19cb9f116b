// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/number.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "fedstein/data/error.h"

namespace fedstein {

Real to_real(double value, std::string_view text, std::string& problem) {
  if (!std::isfinite(value)) {
    problem = "found " + in_quotes(text) + "; expected a finite number";
    return 0;
  }
  if (std::abs(value) > static_cast<double>(std::numeric_limits<Real>::max())) {
    problem = "found " + in_quotes(text) + "; expected a number that fits into " + kRealName;
    return 0;
  }
  return static_cast<Real>(value);
}

Real parse_number(std::string_view text, std::string& problem) {
  std::string_view digits = text;
  // from_chars does not know a plus sign; LIBSVM labels have one. "+-1" stays wrong.
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || stop != digits.data() + digits.size()) {
    problem = "found " + in_quotes(text) + "; expected a number";
    return 0;
  }
  if (error == std::errc::result_out_of_range) {
    problem = "found " + in_quotes(text) + "; expected a number in the range of double";
    return 0;
  }
  return to_real(value, text, problem);
}

}  // namespace fedstein
