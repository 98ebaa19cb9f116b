// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/ksd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/kernel_invariants.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Matrix scores_at(const Score& target, const Matrix& x) {
  Matrix out = Matrix::Zero(x.rows(), x.cols());
  target.add(x, 0, 1, out);
  return out;
}

TEST(Ksd, EqualsItsDefinitionForTheInverseMultiquadric) {
  const Matrix x = random_matrix(9, 4, 1);
  const Matrix s = random_matrix(9, 4, 2);
  const ImqKernel kernel;
  const double h = gram_of(kernel, x).bandwidth;
  double sum = 0;
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 9; ++j) {
      const Eigen::RowVectorXd e = (x.row(i) - x.row(j)).cast<double>();
      const double u = 1 + e.squaredNorm() / h;
      const Eigen::RowVectorXd grad_i = -std::pow(u, -1.5) / h * e;  // of (1 + |e|^2 / h)^(-1/2) along x_i
      const double trace = 4 * std::pow(u, -1.5) / h - 3 * std::pow(u, -2.5) / (h * h) * e.squaredNorm();
      const Eigen::RowVectorXd s_i = s.row(i).cast<double>(), s_j = s.row(j).cast<double>();
      sum += s_i.dot(s_j) / std::sqrt(u) - s_i.dot(grad_i) + s_j.dot(grad_i) + trace;
    }
  }
  EXPECT_TRUE(close(ksd_squared(kernel, x, s), sum / 81));
}

TEST(Ksd, SeparatesTheRightTargetFromWrongOnes) {
  const Matrix sample = random_matrix(1000, 2, 3);
  const RowVector zero = RowVector::Zero(2), one = RowVector::Ones(2);
  const double right = ksd(RbfKernel(), sample, scores_at(GaussianScore(zero, one), sample));
  const double shifted = ksd(RbfKernel(), sample, scores_at(GaussianScore(one, one), sample));
  const double wider = ksd(RbfKernel(), sample, scores_at(GaussianScore(zero, 4 * one), sample));
  EXPECT_LT(right, 0.4 * shifted);
  EXPECT_LT(right, 0.5 * wider);
}

TEST(Ksd, OfHugeScoresIsHugeAndNotZero) {
  const Matrix x = random_matrix(5, 2, 1);
  EXPECT_GT(ksd(RbfKernel(), x, Matrix::Constant(5, 2, 3e19_r)), 1e19);
}

TEST(Ksd, OneParticleAndEqualParticles) {
  const Matrix s = random_matrix(1, 3, 4);
  const Matrix equal = Matrix::Ones(4, 3);
  // k = 1 with no derivative: what remains is the mean score's length.
  EXPECT_NEAR(ksd(RbfKernel(), equal, s.replicate(4, 1)), static_cast<double>(s.norm()), 1e-5);
  EXPECT_NEAR(ksd(RbfKernel(), s, s), static_cast<double>(s.norm()), 1e-5);
  EXPECT_THROW_MESSAGE(ksd(RbfKernel(), s, Matrix::Zero(2, 3)), InvalidArgument, "ksd: score is 2 x 3");
}

}  // namespace
}  // namespace fedstein
