// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/activation.h"

#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// A rectified unit stops what it is not active for, whatever comes: 0 times infinity would not be 0.
void stop_inactive(const ConstMatrixRef& active, MatrixRef pull) {
  for (Index i = 0; i < pull.rows(); ++i) {
    Real* row = pull.row(i).data();
    const Real* unit = active.row(i).data();
    for (Index h = 0; h < pull.cols(); ++h) row[h] = unit[h] > 0 ? row[h] : Real{0};
  }
}

// log(1 + e^z) = max(z, 0) + log(1 + e^-|z|), which does not overflow.
void softplus(MatrixRef z) {
  Scratch rest(z.rows(), z.cols());
  rest->array() = (-z.array().abs()).exp();
  z.array() = z.array().max(Real{0}) + rest->array().log1p();
}

}  // namespace

void activate(Activation activation, MatrixRef z) {
  switch (activation) {
    case Activation::kRelu:
      z = z.cwiseMax(Real{0});
      break;
    case Activation::kTanh:
      z.array() = z.array().tanh();
      break;
    case Activation::kSoftplus:
      softplus(z);
      break;
  }
}

void multiply_by_slopes(Activation activation, const ConstMatrixRef& active, MatrixRef pull) {
  switch (activation) {
    case Activation::kRelu:
      stop_inactive(active, pull);
      break;
    case Activation::kTanh:
      pull.array() *= 1 - active.array().square();
      break;
    case Activation::kSoftplus:  // the logistic function of z
      pull.array() *= 1 - (-active.array()).exp();
      break;
  }
}

}  // namespace fedstein
