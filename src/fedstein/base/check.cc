// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/check.h"

#include <array>
#include <charconv>
#include <cmath>

namespace fedstein {

void refuse(const char* function, const std::string& complaint) {
  throw InvalidArgument(std::string(function) + ": " + complaint);
}

std::string to_text(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

void check_positive(const char* function, const char* argument, double value) {
  if (std::isfinite(value) && value > 0) return;
  refuse(function, std::string(argument) + " is " + to_text(value) + "; it must be a finite number above 0");
}

}  // namespace fedstein
