// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy form, version 1.0: magic, a header in Python's notation, then the elements, little-endian, row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

std::string npy_of(const std::vector<double>& values);        // <f8, one dimension
std::string npy_of(const std::vector<std::int64_t>& values);  // <i8, one dimension
std::string npy_of(const std::vector<std::string>& texts);    // <Un, one dimension; what is not UTF-8 becomes U+FFFD
std::string npy_of(const std::string& text);                  // <Un, no dimension
std::string npy_of(const Particles& particles);               // <f4 or <f8, two dimensions
#if FEDSTEIN_REAL_IS_DOUBLE == 0
std::string npy_of(const DoubleMatrix& matrix);  // <f8, two dimensions; in a double build this is the one above
#endif

}  // namespace fedstein
