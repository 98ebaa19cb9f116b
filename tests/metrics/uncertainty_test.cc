// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/uncertainty.h"

#include <cmath>
#include <limits>
#include <vector>

#include "fedstein/numeric/check.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

TEST(EntropySplit, TheExtremes) {
  // Row 0: both sure of the same class. Row 1: both unsure. Row 2: each sure, of different classes.
  const std::vector<Matrix> particles{Matrix{{1, 0}, {0.5, 0.5}, {1, 0}}, Matrix{{1, 0}, {0.5, 0.5}, {0, 1}}};
  const EntropySplit split = entropy_split(particles);
  const double bit = std::log(2.0);
  EXPECT_TRUE(close(split.total, DoubleVector{{0, bit, bit}}, 1e-14));
  EXPECT_TRUE(close(split.aleatoric, DoubleVector{{0, bit, 0}}, 1e-14));
  EXPECT_TRUE(close(split.epistemic, DoubleVector{{0, 0, bit}}, 1e-14));
}

TEST(EntropySplit, OneParticleKnowsNoDisagreement) {
  const EntropySplit split = entropy_split(std::vector<Matrix>{smooth_sample(10, 4, 1).probabilities});
  EXPECT_TRUE(close(split.epistemic, DoubleVector::Zero(10), 1e-12));
  EXPECT_TRUE(close(split.total, split.aleatoric, 1e-12));
  const EntropySplit certain = entropy_split(std::vector<Matrix>{Matrix::Ones(2, 1)});
  EXPECT_EQ(certain.total, DoubleVector::Zero(2));
  const EntropySplit rounded = entropy_split(std::vector<Matrix>{Matrix::Constant(1, 1, Real(1.00005))});
  EXPECT_EQ(rounded.total(0), 0);  // not below, as -p log p would be
  EXPECT_EQ(rounded.aleatoric(0), 0);
}

// Another form of the same quantity: the mean divergence of the particles from their average.
TEST(EntropySplit, EpistemicIsTheMeanDivergenceFromTheAverage) {
  std::vector<Matrix> particles;
  for (std::uint64_t j = 0; j < 6; ++j) particles.push_back(smooth_sample(8, 3, j).probabilities);
  EntropyAccumulator accumulator(8, 3);
  for (const Matrix& particle : particles) accumulator.add(particle);
  EXPECT_EQ(accumulator.particles(), 6);
  DoubleMatrix mean = DoubleMatrix::Zero(8, 3);
  for (const Matrix& particle : particles) mean += particle.cast<double>() / 6;
  DoubleVector divergence = DoubleVector::Zero(8);
  for (const Matrix& particle : particles) {
    for (Index row = 0; row < 8; ++row) {
      for (Index k = 0; k < 3; ++k) {
        const auto p = static_cast<double>(particle(row, k));
        divergence(row) += p * std::log(p / mean(row, k)) / 6;
      }
    }
  }
  EXPECT_TRUE(close(accumulator.split().epistemic, divergence));
  EXPECT_TRUE(close(accumulator.mean(), mean));
}

TEST(EntropySplit, Refuses) {
  EntropyAccumulator accumulator(2, 2);
  EXPECT_THROW_MESSAGE(accumulator.split(), InvalidArgument, "0 particles were added; it needs at least one");
  EXPECT_THROW_MESSAGE(accumulator.mean(), InvalidArgument, "0 particles were added");
  EXPECT_THROW_MESSAGE(accumulator.add(Matrix{{1, 0}}), InvalidArgument, "probabilities has 1 row; it must have 2");
  EXPECT_THROW_MESSAGE(accumulator.add(Matrix::Ones(2, 1)), InvalidArgument, "it must have 2 columns");
  EXPECT_THROW_MESSAGE(accumulator.add(Matrix{{1, 0}, {kNan, 1}}), InvalidArgument, "holds nan in row 1, column 0");
  EXPECT_EQ(accumulator.particles(), 0);
  EXPECT_THROW_MESSAGE(entropy_split({}), InvalidArgument, "entropy_split: 0 particles");
  EXPECT_THROW_MESSAGE(EntropyAccumulator(0, 2), InvalidArgument, "rows is 0; it must be at least 1");
}

TEST(VarianceSplit, LawOfTotalVarianceByHand) {
  VarianceAccumulator accumulator(2);
  accumulator.add(Vector{{1, 5}}, Vector{{2, 1}});
  accumulator.add(Vector{{3, 5}}, Vector{{4, 1}});
  const VarianceSplit split = accumulator.split();
  EXPECT_TRUE(close(split.mean, DoubleVector{{2, 5}}, 1e-14));
  EXPECT_TRUE(close(split.aleatoric, DoubleVector{{3, 1}}, 1e-14));
  EXPECT_TRUE(close(split.epistemic, DoubleVector{{1, 0}}, 1e-14));
  EXPECT_TRUE(close(split.total, DoubleVector{{4, 1}}, 1e-14));
}

TEST(VarianceSplit, SurvivesALargeOffset) {
  const Matrix means = random_matrix(50, 3, 4, /*mean=*/1000, /*deviation=*/0.01);
  VarianceAccumulator accumulator(3);
  for (Index j = 0; j < 50; ++j) accumulator.add(means.row(j).transpose(), 0.25);
  const VarianceSplit split = accumulator.split();
  for (Index row = 0; row < 3; ++row) {
    const DoubleVector column = means.col(row).cast<double>();
    const double variance = (column.array() - column.mean()).square().mean();
    EXPECT_TRUE(close(split.epistemic(row), variance, 1e-8));
    EXPECT_TRUE(close(split.aleatoric(row), 0.25, 1e-14));
  }
}

TEST(VarianceSplit, Refuses) {
  VarianceAccumulator accumulator(2);
  const Vector two{{1, 2}};
  EXPECT_THROW_MESSAGE(accumulator.split(), InvalidArgument, "0 particles were added");
  EXPECT_THROW_MESSAGE(accumulator.add(two, Vector{{1, -1}}), InvalidArgument, "variances holds -1 in row 1");
  EXPECT_THROW_MESSAGE(accumulator.add(two, -0.5), InvalidArgument, "variance is -0.5");
  EXPECT_THROW_MESSAGE(accumulator.add(Vector{{kNan, 2}}, two), InvalidArgument, "means holds nan in row 0");
  EXPECT_THROW_MESSAGE(accumulator.add(Vector{{1}}, two), InvalidArgument, "means has 1 row; it must have 2");
  EXPECT_EQ(accumulator.particles(), 0);
}

}  // namespace
}  // namespace fedstein
