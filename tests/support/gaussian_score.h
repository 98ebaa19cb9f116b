// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fedstein/stein/score.h"

namespace fedstein {

// N(mean, diag(variance)): the simplest target with everything known about it.
class GaussianScore : public Score {
 public:
  GaussianScore(RowVector mean, RowVector variance) : mean_(std::move(mean)), variance_(std::move(variance)) {}

  void add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const override {
    for (Index n = 0; n < theta.rows(); ++n) {
      grad.row(n).array() += static_cast<Real>(weight) * (mean_ - theta.row(n)).array() / variance_.array();
    }
  }

  DoubleVector log_density(const ConstMatrixRef& theta) const {
    const DoubleMatrix gap = (theta.rowwise() - mean_).cast<double>();
    return -0.5 * (gap.array().square().rowwise() / variance_.cast<double>().array()).rowwise().sum().matrix();
  }

 private:
  RowVector mean_;
  RowVector variance_;
};

}  // namespace fedstein
