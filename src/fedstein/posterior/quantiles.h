// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Per row of a mixture of Gaussians (n x N means and variances above 0, equal weights), where its distribution function
// reaches each probability: n x Q.
DoubleMatrix mixture_quantiles(const ConstMatrixRef& means,
                               const ConstMatrixRef& variances,
                               const std::vector<double>& probabilities);

// The distribution function of each row at its own place.
using CumulativeRows = std::function<DoubleVector(const DoubleVector& at)>;

// Of any distribution, between `low` and `high` or, where it is not there, beyond them.
DoubleVector continuous_quantile(const CumulativeRows& cumulative,
                                 DoubleVector low,
                                 DoubleVector high,
                                 double probability);
// Of counts: the least count at which the function is not below the probability. `guess`: where to begin.
DoubleVector count_quantile(const CumulativeRows& cumulative, const DoubleVector& guess, double probability);

}  // namespace fedstein
