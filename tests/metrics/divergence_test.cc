// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/divergence.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Up to a constant, which the grid takes away.
auto log_normal(double mean, double deviation) {
  return [=](double x) { return 3 - (x - mean) * (x - mean) / (2 * deviation * deviation); };
}

double kl_of_normals(double m1, double s1, double m2, double s2) {
  return std::log(s2 / s1) + (s1 * s1 + (m1 - m2) * (m1 - m2)) / (2 * s2 * s2) - 0.5;
}

TEST(Divergence, OfGaussiansInClosedForm) {
  const KlPair kl = kl_divergence(log_normal(0.5, 1), log_normal(-1, 1.5), UniformGrid{-15, 15, 2000});
  EXPECT_TRUE(close(kl.forward, kl_of_normals(0.5, 1, -1, 1.5), 1e-9));
  EXPECT_TRUE(close(kl.reverse, kl_of_normals(-1, 1.5, 0.5, 1), 1e-9));
  const KlPair none = kl_divergence(log_normal(0, 1), log_normal(0, 1), UniformGrid{-5, 5, 100});
  EXPECT_EQ(none.forward, 0);
  EXPECT_EQ(none.reverse, 0);
}

TEST(Divergence, InTwoDimensionsAddsUpOverIndependentCoordinates) {
  const auto q = [](double x, double y) { return log_normal(0, 1)(x) + log_normal(1, 0.5)(y); };
  const auto p = [](double x, double y) { return log_normal(1, 2)(x) + log_normal(0, 1)(y); };
  const KlPair kl = kl_divergence(q, p, UniformGrid{-14, 14, 280}, UniformGrid{-8, 8, 240});
  EXPECT_TRUE(close(kl.forward, kl_of_normals(0, 1, 1, 2) + kl_of_normals(1, 0.5, 0, 1), 1e-8));
  EXPECT_TRUE(close(kl.reverse, kl_of_normals(1, 2, 0, 1) + kl_of_normals(0, 1, 1, 0.5), 1e-8));
}

TEST(Divergence, ByHandOnTwoCells) {
  const DoubleVector log_q{{std::log(0.5), std::log(0.5)}};
  const DoubleVector log_p{{std::log(2.0), std::log(6.0)}};  // 1/4 and 3/4 once normalised
  const KlPair kl = kl_on_grid(log_q, log_p);
  EXPECT_TRUE(close(kl.forward, 0.5 * std::log(2) + 0.5 * std::log(2.0 / 3), 1e-14));
  EXPECT_TRUE(close(kl.reverse, 0.25 * std::log(0.5) + 0.75 * std::log(1.5), 1e-14));
}

TEST(Divergence, ZeroDensities) {
  const DoubleVector narrow{{0, 0, -INFINITY}};
  const DoubleVector wide{{0, 0, 0}};
  const KlPair kl = kl_on_grid(narrow, wide);
  EXPECT_TRUE(close(kl.forward, std::log(1.5), 1e-14));
  EXPECT_EQ(kl.reverse, INFINITY);
  // So far below the peak that exp gives 0, yet not zero: finite in both directions.
  const KlPair tiny = kl_on_grid(DoubleVector{{0, -2000}}, DoubleVector{{0, -1000}});
  EXPECT_EQ(tiny.forward, 0);
  EXPECT_EQ(tiny.reverse, 0);
  EXPECT_EQ(kl_on_grid(DoubleVector{{0, -2000}}, DoubleVector{{0, -INFINITY}}).forward, INFINITY);
}

TEST(Divergence, LogDensitiesOfAnyMagnitude) {
  const DoubleVector q{{-5000, -5001, -5002}};
  const DoubleVector p{{4000, 3999, 3998}};
  EXPECT_LT(kl_on_grid(q, p).forward, 1e-12);
  EXPECT_LT(kl_on_grid(q, p).reverse, 1e-12);
}

TEST(Divergence, Grids) {
  const UniformGrid grid{-1, 1, 4};
  EXPECT_TRUE(close(grid_points(grid), DoubleMatrix{{-0.75}, {-0.25}, {0.25}, {0.75}}, 1e-14));
  const Matrix points = grid_points(UniformGrid{0, 2, 2}, UniformGrid{0, 3, 3});
  EXPECT_TRUE(
      close(points, DoubleMatrix{{0.5, 0.5}, {0.5, 1.5}, {0.5, 2.5}, {1.5, 0.5}, {1.5, 1.5}, {1.5, 2.5}}, 1e-14));
}

TEST(Divergence, MassTellsWhatTheGridMisses) {
  const UniformGrid half{0, 12, 4000};
  DoubleVector logs(half.cells);
  for (Index i = 0; i < half.cells; ++i) {
    logs(i) = -0.5 * half.point(i) * half.point(i) - 0.5 * std::log(2 * std::numbers::pi);
  }
  EXPECT_TRUE(close(log_mass(logs, half.width()), std::log(0.5), 1e-6));
}

TEST(Divergence, Refuses) {
  const DoubleVector good{{0, 0}};
  EXPECT_THROW_MESSAGE(kl_on_grid(DoubleVector{{0, NAN}}, good), InvalidArgument, "log_q holds nan in row 1");
  EXPECT_THROW_MESSAGE(kl_on_grid(good, DoubleVector{{0, INFINITY}}), InvalidArgument, "log_p holds inf in row 1");
  EXPECT_THROW_MESSAGE(kl_on_grid(good, DoubleVector::Constant(2, -INFINITY)),
                       InvalidArgument,
                       "log_p is -inf in all 2 rows; the density must be above 0 somewhere");
  EXPECT_THROW_MESSAGE(kl_on_grid(good, DoubleVector{{0}}), InvalidArgument, "log_p has 1 row; it must have 2");
  const auto flat = [](double) { return 0.0; };
  EXPECT_THROW_MESSAGE(kl_divergence(flat, flat, UniformGrid{1, 1, 5}), InvalidArgument, "grid goes from 1 to 1");
  EXPECT_THROW_MESSAGE(grid_points(UniformGrid{0, 1, 0}), InvalidArgument, "grid.cells is 0");
  EXPECT_THROW_MESSAGE(grid_points(UniformGrid{0, INFINITY, 2}), InvalidArgument, "both ends must be finite");
}

}  // namespace
}  // namespace fedstein
