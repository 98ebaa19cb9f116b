// SPDX-License-Identifier: Apache-2.0
// Argument checks of the library's public functions. Each throws InvalidArgument with one sentence that names the
// function, the argument, what was found and what would be allowed. Those of matrices are in numeric/check.h.
#pragma once

#include <string>
#include <type_traits>

#include "fedstein/base/error.h"

namespace fedstein {

class InvalidArgument : public ErrorOf<ErrorKind::kArgument> {
 public:
  using ErrorOf::ErrorOf;
};

// A computation that started from good input and left the finite numbers; the round that did so is rejected, not the
// run.
class Divergence : public ErrorOf<ErrorKind::kDivergence> {
 public:
  using ErrorOf::ErrorOf;
};

// Shortest decimal form that reads back as the same double.
std::string to_text(double value);

// `complaint` is the sentence, or, where the check stands in an inner loop, a callable that makes it: building a string
// nobody reads would allocate.
[[noreturn]] void refuse(const char* function, const std::string& complaint);
template <typename Complaint>
void check_argument(bool holds, const char* function, const Complaint& complaint) {
  if (holds) return;
  if constexpr (std::is_invocable_v<const Complaint&>) {
    refuse(function, complaint());
  } else {
    refuse(function, complaint);
  }
}
void check_positive(const char* function, const char* argument, double value);

}  // namespace fedstein
