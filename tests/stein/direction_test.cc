// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/direction.h"

#include <cmath>
#include <functional>
#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "support/kernel_invariants.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// k and its derivative along x_j, written out for one pair: the reference that the fused product is held against.
struct PairKernel {
  std::function<double(double r2, double h)> value;
  std::function<double(double r2, double h)> slope;
};

const PairKernel kRbf{[](double r2, double h) { return std::exp(-r2 / h); },
                      [](double r2, double h) { return -std::exp(-r2 / h) / h; }};
const PairKernel kImq{[](double r2, double h) { return 1 / std::sqrt(1 + r2 / h); },
                      [](double r2, double h) { return -0.5 / h * std::pow(1 + r2 / h, -1.5); }};

DoubleMatrix by_triple_loop(const PairKernel& kernel, double h, const Matrix& x_real, const Matrix& s_real) {
  const DoubleMatrix x = x_real.cast<double>();
  const DoubleMatrix s = s_real.cast<double>();
  DoubleMatrix phi = DoubleMatrix::Zero(x.rows(), x.cols());
  for (Index n = 0; n < x.rows(); ++n) {
    for (Index j = 0; j < x.rows(); ++j) {
      double r2 = 0;
      for (Index k = 0; k < x.cols(); ++k) r2 += (x(j, k) - x(n, k)) * (x(j, k) - x(n, k));
      for (Index k = 0; k < x.cols(); ++k) {
        phi(n, k) += kernel.value(r2, h) * s(j, k) + 2 * kernel.slope(r2, h) * (x(j, k) - x(n, k));
      }
    }
  }
  return phi / static_cast<double>(x.rows());
}

class Direction : public testing::TestWithParam<std::tuple<Index, Index>> {
 protected:
  Matrix x = random_matrix(std::get<0>(GetParam()), std::get<1>(GetParam()), 1);
  Matrix score = random_matrix(x.rows(), x.cols(), 2);
  Matrix phi = Matrix(x.rows(), x.cols());
};

TEST_P(Direction, EqualsTheTripleLoop) {
  const RbfKernel rbf;
  const ImqKernel imq;
  stein_direction(rbf, x, score, phi);
  EXPECT_TRUE(close(phi, by_triple_loop(kRbf, gram_of(rbf, x).bandwidth, x, score)));
  stein_direction(imq, x, score, phi);
  EXPECT_TRUE(close(phi, by_triple_loop(kImq, gram_of(imq, x).bandwidth, x, score)));
}

TEST_P(Direction, DoesNotDependOnTheNumberOfThreads) {
  Matrix serial(x.rows(), x.cols());
  {
    const ThreadLimit one(1);
    stein_direction(RbfKernel(), x, score, serial);
  }
  for (const int threads : {2, 8}) {
    const ThreadLimit limit(threads);
    stein_direction(RbfKernel(), x, score, phi);
    EXPECT_TRUE(identical(phi, serial)) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         Direction,
                         testing::Values(std::tuple{1, 1},
                                         std::tuple{1, 7},
                                         std::tuple{2, 1},
                                         std::tuple{2, 100000},
                                         std::tuple{6, 55},
                                         std::tuple{20, 5000},
                                         std::tuple{200, 1},
                                         std::tuple{70, 300}));

TEST(Direction, OneParticleFollowsItsScore) {
  const Matrix x = random_matrix(1, 100000, 1);
  const Matrix score = random_matrix(1, 100000, 2);
  Matrix phi(1, 100000);
  stein_direction(RbfKernel(), x, score, phi);
  EXPECT_TRUE(identical(phi, score));
}

TEST(Direction, EqualParticlesMoveTogetherAlongTheirMeanScore) {
  const Matrix x = Matrix::Constant(5, 3, 0.7_r);
  const Matrix score = random_matrix(5, 3, 2);
  for (const Bandwidth& rule : {Bandwidth::paper(), Bandwidth::original()}) {
    Matrix phi(5, 3);
    stein_direction(RbfKernel(rule), x, score, phi);
    EXPECT_TRUE(close(phi, score.colwise().mean().replicate(5, 1)));
  }
}

TEST(Direction, ParticlesAlmostEqualAreTreatedAsEqual) {
  Matrix x = Matrix::Zero(4, 2);
  x.col(0) << 0, 1e-22_r, 2e-22_r, 3e-22_r;
  x *= std::sqrt(std::numeric_limits<Real>::min()) / std::sqrt(std::numeric_limits<float>::min());
  const Matrix score = random_matrix(4, 2, 6);
  Matrix phi(4, 2);
  stein_direction(RbfKernel(), x, score, phi);
  EXPECT_EQ(first_non_finite(phi).row, -1);
  stein_direction(ImqKernel(), x, score, phi);
  EXPECT_EQ(first_non_finite(phi).row, -1);
}

TEST(Direction, KeepsItsDigitsFarFromTheOrigin) {
  const Matrix x = random_matrix(80, 40, 3, /*mean=*/100, /*deviation=*/0.01);
  const Matrix score = random_matrix(80, 40, 4);
  const RbfKernel rbf;
  Matrix phi(80, 40);
  stein_direction(rbf, x, score, phi);
  EXPECT_TRUE(close(phi, by_triple_loop(kRbf, gram_of(rbf, x).bandwidth, x, score)));
}

TEST(Direction, RefusesScoresOfAnotherShape) {
  Matrix phi(3, 2);
  EXPECT_THROW_MESSAGE(stein_direction(RbfKernel(), Matrix::Zero(3, 2), Matrix::Zero(2, 2), phi),
                       InvalidArgument,
                       "stein_direction: score is 2 x 2; it must have the shape of x, 3 x 2");
}

}  // namespace
}  // namespace fedstein
