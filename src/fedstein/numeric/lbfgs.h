// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

struct LbfgsOptions {
  Index steps = 100;
  Index memory = 8;                  // pairs of steps and gradient changes that are kept
  double gradient_tolerance = 1e-5;  // stops when no entry of the gradient is larger, times max(1, |value|)
  double first_step = 1;             // longest first step, in any coordinate
};

struct LbfgsResult {
  double value = 0;
  Index steps = 0;  // taken
  bool converged = false;
};

// The value at x, and its gradient; a value that is not finite marks a place where the function does not exist.
using Objective = std::function<double(const DoubleVector& x, DoubleVector& gradient)>;

// Minimises by limited-memory BFGS (Nocedal 1980; two-loop recursion) with a line search for the weak Wolfe conditions
// by bisection (Lewis and Overton 2013). x is the start and the result; the value never rises. Stops quietly where no
// descent is left, as near the rounding of the objective.
LbfgsResult minimise(const Objective& objective, DoubleVector& x, const LbfgsOptions& options = {});

}  // namespace fedstein
