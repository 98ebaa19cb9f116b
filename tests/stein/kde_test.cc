// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/kde.h"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/gradient_check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Matrix score_of(const Score& score, const Matrix& x) {
  Matrix out = Matrix::Zero(x.rows(), x.cols());
  score.add(x, 0, 1, out);
  return out;
}

RC_GTEST_PROP(Kde, ScoreIsTheGradientOfItsLogDensity, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 12);
  const auto d = *rc::gen::inRange<Index>(1, 10);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  const Kde kde(random_matrix(n, d, seed), 0.55);
  const auto log_density = [&](const ConstMatrixRef& x) { return kde.log_density(x); };
  const GradientReport report = check_gradient(log_density, kde, random_matrix(3, d, seed + 1));
  RC_LOG(report.message);
  RC_ASSERT(report.agrees);
}

TEST(Kde, IntegratesToOne) {
  const Kde kde(random_matrix(7, 1, 1), 0.3);
  constexpr Index kPoints = 4001;
  constexpr double kFrom = -8, kTo = 8;
  Matrix grid(kPoints, 1);
  for (Index i = 0; i < kPoints; ++i)
    grid(i, 0) = static_cast<Real>(kFrom + (kTo - kFrom) * static_cast<double>(i) / (kPoints - 1.0));
  const double total = kde.log_density(grid).array().exp().sum() * (kTo - kFrom) / (kPoints - 1.0);
  EXPECT_NEAR(total, 1, 1e-4);
}

TEST(Kde, PointsHomeFromWhereTheDensityUnderflows) {
  const Kde kde(Matrix::Zero(2, 3), 0.1);
  const Matrix far = Matrix::Constant(1, 3, 1000);
  EXPECT_TRUE(close(score_of(kde, far), Matrix::Constant(1, 3, -1000 / 0.01_r)));
  EXPECT_TRUE(std::isfinite(kde.log_density(far)(0)));
}

TEST(Kde, KeepsItsDigitsFarFromTheOrigin) {
  const Matrix near = random_matrix(80, 30, 1, 0, 0.25);
  const Matrix points = random_matrix(90, 30, 2, 0, 0.25);
  const Matrix shift = Matrix::Constant(1, 30, 64);  // exact in both precisions up to the last few bits of `near`
  const Matrix moved = (near + shift.replicate(80, 1));
  const Matrix moved_points = (points + shift.replicate(90, 1));
  const Matrix expected = score_of(Kde(moved - shift.replicate(80, 1), 0.55), moved_points - shift.replicate(90, 1));
  EXPECT_TRUE(close(score_of(Kde(moved, 0.55), moved_points), expected));
}

TEST(Kde, ManyDimensionsAndThreadIndependence) {
  const Matrix centres = random_matrix(3, 100000, 1);
  const Matrix x = random_matrix(2, 100000, 2);
  const Kde kde(centres, 0.55);
  const Matrix threaded = score_of(kde, x);
  const ThreadLimit one(1);
  EXPECT_TRUE(identical(threaded, score_of(kde, x)));
  EXPECT_EQ(first_non_finite(threaded).row, -1);
}

TEST(Kde, AddsWithItsWeightToWhatIsThere) {
  const Matrix x = random_matrix(4, 3, 5);
  const Kde kde(random_matrix(6, 3, 6), 0.55);
  Matrix grad = Matrix::Constant(4, 3, 10);
  kde.add(x, 0, -2, grad);
  EXPECT_TRUE(close(grad, Matrix(Matrix::Constant(4, 3, 10) - 2 * score_of(kde, x))));
}

TEST(Kde, GivesBackItsParticles) {
  const Matrix particles = random_matrix(5, 2, 9);
  EXPECT_TRUE(close(Kde(particles, 0.55).particles(), particles));
}

TEST(Kde, RefusesBadArguments) {
  Matrix broken = Matrix::Zero(2, 2);
  broken(1, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(Kde(Matrix::Zero(2, 2), 0), InvalidArgument, "Kde: bandwidth is 0");
  EXPECT_THROW_MESSAGE(Kde(broken, 0.55), InvalidArgument, "Kde: particles holds nan in row 1, column 0");
  EXPECT_THROW_MESSAGE(Kde(Matrix(0, 2), 0.55), InvalidArgument, "particles is 0 x 2");
  EXPECT_THROW_MESSAGE(score_of(Kde(Matrix::Zero(2, 2), 1), Matrix::Zero(1, 3)), InvalidArgument, "theta is 1 x 3");
}

}  // namespace
}  // namespace fedstein
