// SPDX-License-Identifier: Apache-2.0
// Argument checks of the library's public functions. Each throws InvalidArgument with one sentence that names the
// function, the argument, what was found and what would be allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A computation that started from good input and left the finite numbers; the round that did so is rejected, not the
// run.
class Divergence : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "20 x 30"
std::string shape_of(const ConstMatrixRef& matrix);

// Shortest decimal form that reads back as the same double.
std::string to_text(double value);

// `complaint` is the sentence, or, where the check stands in an inner loop, a callable that makes it: building a string
// nobody reads would allocate.
[[noreturn]] void refuse(const char* function, const std::string& complaint);
template <typename Complaint>
void check(bool holds, const char* function, const Complaint& complaint) {
  if (holds) return;
  if constexpr (std::is_invocable_v<const Complaint&>) {
    refuse(function, complaint());
  } else {
    refuse(function, complaint);
  }
}
void check_positive(const char* function, const char* argument, double value);
void check_not_empty(const char* function, const char* argument, const ConstMatrixRef& matrix);
void check_finite(const char* function, const char* argument, const ConstMatrixRef& matrix);
void check_columns(const char* function, const char* argument, const ConstMatrixRef& matrix, Index columns);
void check_same_shape(const char* function,
                      const char* argument,
                      const ConstMatrixRef& matrix,
                      const char* other_argument,
                      const ConstMatrixRef& other);

// Row and column of the first value that is not finite; {-1, -1} when all are.
struct Position {
  Index row = -1;
  Index column = -1;
};
Position first_non_finite(const ConstMatrixRef& matrix);

}  // namespace fedstein
