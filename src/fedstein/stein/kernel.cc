// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/kernel.h"

#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {

void Kernel::evaluate_in_place(double /*h*/, MatrixRef /*r2*/) const {
  throw InvalidArgument("Kernel::evaluate_in_place: this kernel has no constant log_slope(); call evaluate()");
}

namespace {

constexpr Index kValuesPerPiece = 1 << 15;

// So close together that 1/h is no finite number any more: the limit serves.
bool vanishes(double h) {
  return h < static_cast<double>(std::numeric_limits<Real>::min());
}

void limit_at_zero_bandwidth(const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) {
  value = (r2.array() == Real{0}).cast<Real>().matrix();
  slope.setZero();
}

}  // namespace

void RbfKernel::evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const {
  if (vanishes(h)) return limit_at_zero_bandwidth(r2, value, slope);
  const auto scale = static_cast<Real>(-1 / h);
  value = (r2.array() * scale).exp().matrix();
  slope = value * scale;
}

void RbfKernel::evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const {
  if (vanishes(h)) {
    curvature.setZero();
    return;
  }
  const auto scale = static_cast<Real>(-1 / h);
  curvature = ((r2.array() * scale).exp() * (scale * scale)).matrix();
}

std::optional<double> RbfKernel::log_slope(double h) const {
  return vanishes(h) ? 0 : -1 / h;
}

void RbfKernel::evaluate_in_place(double h, MatrixRef r2) const {
  if (vanishes(h)) {
    r2 = (r2.array() == Real{0}).cast<Real>().matrix().eval();
    return;
  }
  parallel_for(r2.rows(), pieces(kValuesPerPiece, r2.cols()), [&](Index begin, Index end) {
    auto block = r2.middleRows(begin, end - begin);
    block *= static_cast<Real>(-1 / h);
    if (block.outerStride() == block.cols()) {
      exp_in_place(block.data(), block.size());
    } else {
      for (Index i = 0; i < block.rows(); ++i) exp_in_place(block.row(i).data(), block.cols());
    }
  });
}

ImqKernel::ImqKernel(Bandwidth bandwidth, double exponent) : Kernel(bandwidth), exponent_(exponent) {
  check_argument(exponent > -1 && exponent < 0,
                 "ImqKernel",
                 "exponent is " + to_text(exponent) + "; it must lie strictly between -1 and 0");
}

void ImqKernel::evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const {
  if (vanishes(h)) return limit_at_zero_bandwidth(r2, value, slope);
  const auto scale = static_cast<Real>(1 / h);
  const auto factor = static_cast<Real>(exponent_ / h);
  value = ((r2.array() * scale).log1p() * static_cast<Real>(exponent_)).exp().matrix();
  slope = (value.array() * factor / (1 + r2.array() * scale)).matrix();
}

void ImqKernel::evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const {
  if (vanishes(h)) {
    curvature.setZero();
    return;
  }
  const auto scale = static_cast<Real>(1 / h);
  const auto power = static_cast<Real>(exponent_ - 2);
  const auto factor = static_cast<Real>(exponent_ * (exponent_ - 1) / (h * h));
  curvature = (((r2.array() * scale).log1p() * power).exp() * factor).matrix();
}

void IndependentKernel::evaluate(double /*h*/, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const {
  value = (r2.array() == 0).cast<Real>();
  slope.setZero();
}

void IndependentKernel::evaluate_curvature(double /*h*/, const ConstMatrixRef& /*r2*/, MatrixRef curvature) const {
  curvature.setZero();
}

const Kernel& default_kernel() {
  static const RbfKernel kernel;
  return kernel;
}

}  // namespace fedstein
