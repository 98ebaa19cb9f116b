// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/score.h"

namespace fedstein {

// The same matrix everywhere, N x d: the correction of methods with control variates. Borrows it.
class ConstantScore : public Score {
 public:
  explicit ConstantScore(const Matrix& value) : value_(&value) {}
  explicit ConstantScore(const Matrix&&) = delete;
  void add(const ConstMatrixRef& /*theta*/, Index, double weight, MatrixRef grad) const override {
    grad += static_cast<Real>(weight) * *value_;
  }

 private:
  const Matrix* value_;
};

}  // namespace fedstein
