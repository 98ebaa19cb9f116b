// SPDX-License-Identifier: Apache-2.0
// How wide a posterior is, from its curvature rather than from its particles: these are close together in all but the
// widest directions, and their spread says too little.
#pragma once

#include <optional>

#include "fedstein/model/model.h"

namespace fedstein {

// More parameters are not read one by one, and d x d numbers of them are many.
inline constexpr Index kMostCovarianceParameters = 500;

// Minus the Hessian of log prior + log likelihood / temperature at theta (1 x d), d x d: exact where the model hands
// out Information, else by differences of its scores.
DoubleMatrix posterior_information(const Model& model,
                                   const ConstRowRef& theta,
                                   const Batch& batch,
                                   double temperature = 1);

// Its inverse: the covariance of the Gaussian that has the posterior's curvature at theta, all parameters together.
// Nothing where the curvature is not that of a hill, or where there are more than kMostCovarianceParameters.
std::optional<DoubleMatrix> posterior_covariance(const Model& model,
                                                 const ConstRowRef& theta,
                                                 const Batch& batch,
                                                 double temperature = 1);

// Whether it is the covariance of anything: finite, symmetric, and positive definite.
bool is_covariance(const DoubleMatrix& matrix);

}  // namespace fedstein
