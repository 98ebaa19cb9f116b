// SPDX-License-Identifier: Apache-2.0
// The scalar and matrix types that every folder speaks.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <type_traits>

#include "fedstein/base/index.h"
#include "fedstein/numeric/config.h"

static_assert(EIGEN_MAX_ALIGN_BYTES == 64,
              "fedstein was built with EIGEN_MAX_ALIGN_BYTES=64; link fedstein::numeric so that you are too");

namespace fedstein {

// One scalar type for the whole build, chosen by the CMake option FEDSTEIN_REAL. Float is the default: half the
// traffic, twice the speed, what the field uses. Sums over data, log-sum-exp and metrics accumulate in double either
// way.
using Real = std::conditional_t<FEDSTEIN_REAL_IS_DOUBLE != 0, double, float>;
inline constexpr const char* kRealName = FEDSTEIN_REAL_IS_DOUBLE != 0 ? "double" : "float";

// 0.1_r is the Real nearest to 0.1.
constexpr Real operator""_r(long double value) {
  return static_cast<Real>(value);
}

static_assert(std::is_same_v<Index, Eigen::Index>);

// Row-major throughout: a row is one particle or one data row, contiguous in memory.
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RowVector = Eigen::Matrix<Real, 1, Eigen::Dynamic>;
using DoubleMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DoubleVector = Eigen::VectorXd;

using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;

// N x d, one particle per row; a value.
using Particles = Matrix;

}  // namespace fedstein
