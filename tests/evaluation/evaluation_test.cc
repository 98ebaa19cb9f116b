// SPDX-License-Identifier: Apache-2.0
// Figures of a few rows, computed by hand.
#include "fedstein/evaluation/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class OfLogisticRegression : public testing::Test {
 protected:
  // Two particles, p(+1 | x = 1) = 3/4 and 1/2. Averaged: 5/8 for x = 1, 3/8 for x = -1, 1/2 for x = 0.
  LogisticRegression model_{1};
  Particles particles_{{static_cast<Real>(std::log(3)), 0}, {0, 0}};
  Matrix x_{{1}, {-1}, {0}};
  Vector y_{{1, 1, -1}};
};

TEST_F(OfLogisticRegression, EveryFigureIsRight) {
  const auto figures = Evaluation(model_, {x_, y_}).figures(particles_);
  // Row 1 right with confidence 5/8, row 2 wrong with 5/8, row 3 a tie, which goes to -1: right with 1/2.
  EXPECT_EQ(figures.size(), 5U);
  EXPECT_TRUE(close(figures.at("accuracy"), 2.0 / 3));
  EXPECT_TRUE(close(figures.at("log_likelihood"), (std::log(5.0 / 8) + std::log(3.0 / 8) + std::log(0.5)) / 3));
  // Bin [0.6, 0.7) holds two rows, one of them right: gap 1/8. Bin [0.5, 0.6) holds the third: gap 1/2.
  EXPECT_TRUE(close(figures.at("ece"), 2.0 / 3 / 8 + 1.0 / 3 / 2));
  EXPECT_TRUE(close(figures.at("mce"), 0.5));
  EXPECT_TRUE(close(figures.at("brier"), 2 * (9.0 / 64 + 25.0 / 64 + 16.0 / 64) / 3));
}

TEST_F(OfLogisticRegression, F1AndAbstentionWhereTheyAreAskedFor) {
  const auto figures = Evaluation(model_, {x_, y_}, {.f1 = true, .abstained = {0, 0.4, 0.7}}).figures(particles_);
  EXPECT_EQ(figures.size(), 9U);
  // Of two rows of +1 one is found, and none is called so wrongly.
  EXPECT_TRUE(close(figures.at("f1"), 2.0 / 3));
  EXPECT_TRUE(close(figures.at("answered@0"), 2.0 / 3));
  // The tie goes; the two rows of confidence 5/8 could go only together.
  EXPECT_TRUE(close(figures.at("answered@0.4"), 0.5));
  EXPECT_TRUE(close(figures.at("answered@0.7"), 0.5));
  y_.setConstant(-1);
  Matrix sure{{-1}, {-1}, {-1}};
  EXPECT_FALSE(Evaluation(model_, {sure, y_}, {.f1 = true}).figures(particles_).contains("f1")) << "0 / 0";
}

TEST_F(OfLogisticRegression, ConfidenceWhereItIsAskedFor) {
  const auto figures = Evaluation(model_, {x_, y_}, {.sureness = true}).figures(particles_);
  EXPECT_EQ(figures.size(), 8U);
  EXPECT_EQ(figures.at("rows"), 3);
  // Two rows of one class and one of the other.
  EXPECT_TRUE(close(figures.at("baseline"), (2 * std::log(2.0 / 3) + std::log(1.0 / 3)) / 3));
  EXPECT_TRUE(close(figures.at("confidence"), (5.0 / 8 + 5.0 / 8 + 0.5) / 3));
}

TEST_F(OfLogisticRegression, OneBinIsAnotherCalibration) {
  const auto figures = Evaluation(model_, {x_, y_}, {.bins = 1}).figures(particles_);
  EXPECT_TRUE(close(figures.at("ece"), std::abs(2.0 - 1.75) / 3));
}

TEST_F(OfLogisticRegression, RoundsInBetweenAreLeftOut) {
  Evaluation evaluation(model_, {x_, y_}, {.evaluate_every = 4, .last_round = 6});
  std::vector<Index> evaluated;
  for (Index round = 1; round <= 9; ++round) {
    RoundRecord record{.round = round};
    EXPECT_EQ(evaluation.on_round(record, particles_), Next::kContinue);
    if (!record.figures.empty()) evaluated.push_back(round);
  }
  EXPECT_EQ(evaluated, (std::vector<Index>{4, 6, 8}));
}

TEST_F(OfLogisticRegression, BadOptionsAndRowsAreRefused) {
  EXPECT_THROW_MESSAGE(
      Evaluation(model_, {x_, y_}, {.evaluate_every = 0}), InvalidArgument, "evaluate_every is 0; it must be");
  EXPECT_THROW_MESSAGE(Evaluation(model_, {x_, y_}, {.bins = 0}), InvalidArgument, "bins");
  EXPECT_THROW_MESSAGE(Evaluation(model_, {x_, y_}, {.target_deviation = 0}), InvalidArgument, "target_deviation");
  EXPECT_THROW_MESSAGE(Evaluation(model_, Batch{x_, y_}.middle_rows(0, 0)), InvalidArgument, "no rows");
  y_(1) = 3;
  EXPECT_THROW(Evaluation(model_, {x_, y_}), InvalidArgument);
}

double normal_density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

// One particle, f(x) = x with noise variance 1: the interval of x = 0 ends at 1.96.
TEST(OfARegression, CoverageWhereItIsAskedFor) {
  const BnnRegression model({.inputs = 1, .hidden = 1});
  const Particles particles{{1, 0, 1, 0, 0}};
  const Matrix x{{0}, {0}, {0}, {1}};
  const Vector y{{1.9_r, -1.9_r, 2, 2.9_r}};
  const auto figures = Evaluation(model, {x, y}, {.target_deviation = 10, .sureness = true}).figures(particles);
  EXPECT_EQ(figures.size(), 5U);
  EXPECT_EQ(figures.at("rows"), 4);
  EXPECT_TRUE(close(figures.at("coverage"), 0.75));
  // A Gaussian with the targets' mean, 1.225, and variance.
  EXPECT_TRUE(close(figures.at("baseline"), -0.5 * (std::log(2 * std::acos(-1.0) * 3.406875) + 1) - std::log(10)));
}

// Targets that were divided by 10. Particles: f(x) = 2 max(x, 0) + 1 with noise variance 1, f(x) = 0 with 1/4.
TEST(OfARegression, FiguresAreOfTheTargetsAsTheyWere) {
  const BnnRegression model({.inputs = 1, .hidden = 1});
  const Particles particles{{1, 0, 2, 1, 0}, {0, 0, 0, 0, static_cast<Real>(std::log(4))}};
  const Matrix x{{1}, {-1}};
  const Vector y{{1, 0.75_r}};
  const auto figures = Evaluation(model, {x, y}, {.target_deviation = 10}).figures(particles);
  EXPECT_EQ(figures.size(), 2U);
  // Means 1.5 and 0.5: errors 0.5 and -0.25.
  EXPECT_TRUE(close(figures.at("rmse"), 10 * std::sqrt((0.25 + 0.0625) / 2)));
  const double first = (normal_density(1, 3, 1) + normal_density(1, 0, 0.25)) / 2;
  const double second = (normal_density(0.75, 1, 1) + normal_density(0.75, 0, 0.25)) / 2;
  EXPECT_TRUE(close(figures.at("log_likelihood"), (std::log(first / 10) + std::log(second / 10)) / 2));
}

// Counts of rate 1 under one particle: F(0) = 0.37, F(2) = 0.92, F(3) = 0.981, so that the central 95 % are 0 to 3.
TEST(OfCounts, EveryFigureIsRight) {
  const PoissonRegression model({.inputs = 1});
  const Particles particles{{0, 0}};
  const Matrix x{{0}, {1}, {2}, {3}};
  const Vector y{{0, 3, 4, 1}};
  const auto figures = Evaluation(model, {x, y}, {.sureness = true}).figures(particles);
  EXPECT_EQ(figures.size(), 4U);
  EXPECT_TRUE(close(figures.at("rmse"), std::sqrt((1 + 4 + 9) / 4.0)));
  EXPECT_TRUE(close(figures.at("log_likelihood"), -1 - (std::log(6) + std::log(24)) / 4));
  EXPECT_TRUE(close(figures.at("coverage"), 0.75));
  // With a second particle of rate e^2 the mixture reaches from 0 to 12.
  const Matrix wide{{0}, {0}, {0}, {0}};
  const Vector counts{{0, 11, 12, 13}};
  const Particles two{{0, 0}, {0, 2}};
  EXPECT_TRUE(close(Evaluation(model, {wide, counts}, {.sureness = true}).figures(two).at("coverage"), 0.75));
}

TEST(OfADensityModel, ThereIsNothingToEvaluate) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  EXPECT_THROW_MESSAGE(Evaluation(model, {x, y}), InvalidArgument, "predicts nothing");
}

// Nothing that borrows a model takes one that is a temporary.
static_assert(std::is_constructible_v<Evaluation, const LogisticRegression&, Batch>);
static_assert(!std::is_constructible_v<Evaluation, LogisticRegression, Batch>);
static_assert(!std::is_constructible_v<FullLikelihood, LogisticRegression, Batch>);
static_assert(!std::is_constructible_v<PriorScore, LogisticRegression>);
static_assert(!std::is_constructible_v<MinibatchLikelihood, LogisticRegression, Batch, Index, StreamId>);

}  // namespace
}  // namespace fedstein
