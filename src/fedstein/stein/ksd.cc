// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/ksd.h"

#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"

namespace fedstein {

double ksd_squared(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score) {
  check_not_empty("ksd", "x", x);
  check_same_shape("ksd", "score", score, "x", x);
  check_finite("ksd", "x", x);
  check_finite("ksd", "score", score);
  const Index n = x.rows();
  if (n == 1) return score.cast<double>().squaredNorm();  // k = 1 without derivatives, as everywhere for one particle
  const auto d = static_cast<double>(x.cols());

  Matrix r2(n, n), value(n, n), slope(n, n), curvature(n, n);
  squared_distances(x, r2);
  const double h = kernel.bandwidth().of(r2);
  kernel.evaluate(h, r2, value, slope);
  kernel.evaluate_curvature(h, r2, curvature);

  const DoubleMatrix centred = (x.rowwise() - x.colwise().mean()).cast<double>();
  const DoubleMatrix s = score.cast<double>();
  const DoubleMatrix score_products = s * s.transpose();
  const DoubleMatrix moments = s * centred.transpose();  // (i, j): s_i . c_j

  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const auto f = static_cast<double>(value(i, j));
      const auto f1 = static_cast<double>(slope(i, j));
      const auto f2 = static_cast<double>(curvature(i, j));
      // With e = x_i - x_j: d/dx_i k = 2 f' e, d/dx_j k = -2 f' e, trace = -2 d f' - 4 f'' |e|^2.
      const double along_i = moments(i, i) - moments(i, j);  // s_i . e
      const double along_j = moments(j, i) - moments(j, j);  // s_j . e
      sum +=
          f * score_products(i, j) + 2 * f1 * (along_j - along_i) - 2 * d * f1 - 4 * f2 * static_cast<double>(r2(i, j));
    }
  }
  // Rounding may leave a little below zero; what is not a number stays one.
  return sum < 0 ? 0 : sum / static_cast<double>(n * n);
}

double ksd(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score) {
  return std::sqrt(ksd_squared(kernel, x, score));
}

}  // namespace fedstein
