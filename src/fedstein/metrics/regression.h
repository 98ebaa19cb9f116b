// SPDX-License-Identifier: Apache-2.0
// How good predicted means and variances are. One data row per row; where a predictive is a mixture over particles,
// means and variances are n x N, one particle per column, equally weighted. Sums are in double.
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr const char* kRmseConvention = "RMSE: root of the mean squared error of the predictive mean";
inline constexpr const char* kMaeConvention = "MAE: mean absolute error of the predictive mean";
inline constexpr const char* kLogDensityConvention =
    "log-likelihood: mean natural logarithm of the predictive density at the target, no floor";
inline constexpr const char* kCoverageConvention =
    "coverage: share of targets inside the central predictive interval of the given level, ends included";

double rmse(const Eigen::Ref<const Vector>& predicted, const Eigen::Ref<const Vector>& targets);
double mae(const Eigen::Ref<const Vector>& predicted, const Eigen::Ref<const Vector>& targets);

// Per row, log of (1/N) sum_j N(target | mean_j, variance_j); N = 1 is the Gaussian. Variances above 0.
DoubleVector mixture_log_density(const ConstMatrixRef& means,
                                 const ConstMatrixRef& variances,
                                 const Eigen::Ref<const Vector>& targets);

// Mean of per-row log densities. -inf in one row makes it -inf.
double mean_log_likelihood(const Eigen::Ref<const DoubleVector>& log_densities);

// Per row, the probability of the smallest central interval of the mixture that holds the target, |2 F(target) - 1|
// with the mixture's distribution function F. Uniform on (0, 1) when the predictive is right.
DoubleVector central_mass(const ConstMatrixRef& means,
                          const ConstMatrixRef& variances,
                          const Eigen::Ref<const Vector>& targets);

// Share of rows whose target lies in the central interval of probability `level`, in the open (0, 1). One call of
// central_mass serves every level.
double coverage(const Eigen::Ref<const DoubleVector>& central_masses, double level);

// The same for intervals from elsewhere; lower <= upper.
double interval_coverage(const Eigen::Ref<const Vector>& lower,
                         const Eigen::Ref<const Vector>& upper,
                         const Eigen::Ref<const Vector>& targets);

}  // namespace fedstein
