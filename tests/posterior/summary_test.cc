// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/summary.h"

#include <gmock/gmock.h>

#include <cmath>

#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/posterior/predictor.h"
#include "posterior/made_posteriors.h"

namespace fedstein {
namespace {

// What the coefficients say of a row in its own units is what the model says of the scaled row, whatever the scaling
// and the origins. In double: times of 1.7e9 seconds are no excuse.
TEST(Summary, IsOnTheScaleOfTheColumns) {
  Posterior posterior = made_remembering();
  const auto summary = summarise(posterior);
  ASSERT_TRUE(summary.has_value());
  const std::vector<FeatureFacts> facts = feature_facts(posterior);
  ASSERT_EQ(summary->coefficients.size(), facts.size() + 1);
  EXPECT_EQ(summary->coefficients[0].name, "(intercept)");
  const DoubleVector theta = posterior.particles.cast<double>().colwise().mean().transpose();
  const Matrix rows = raw_rows(posterior, 20, 8);
  for (const auto& row : rows.rowwise()) {
    double read = summary->coefficients[0].mean;
    double meant = theta(kMadeFeatures);
    for (Index k = 0; k < kMadeFeatures; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double after_origin = static_cast<double>(row(k));
      EXPECT_EQ(summary->coefficients[at + 1].name, facts[at].name);
      read += summary->coefficients[at + 1].mean * (after_origin + facts[at].origin);
      meant += theta(k) * (after_origin - posterior.scaling.shift(k)) / posterior.scaling.spread(k);
    }
    EXPECT_NEAR(read, meant, 1e-5) << "of 1.7e9 seconds a double keeps this much";
  }
}

TEST(Summary, DeviationsAreThoseOfTheCovariance) {
  Posterior posterior = made_remembering();
  const auto summary = summarise(posterior);
  ASSERT_TRUE(summary->from_covariance);
  const CoefficientRow& first = summary->coefficients[1];
  const double deviation = std::sqrt(posterior.covariance(0, 0)) / posterior.scaling.spread(0);
  EXPECT_NEAR(first.deviation, deviation, 1e-12 * deviation);
  EXPECT_NEAR(first.high - first.mean, 1.6448536269514722 * deviation, 1e-9 * deviation);
  EXPECT_NEAR(first.above_zero, std::erfc(-first.mean / deviation / std::sqrt(2.0)) / 2, 1e-12);
}

TEST(Summary, WithoutACovarianceItSaysThatItIsOfTheParticles) {
  Posterior posterior = made_binary();
  const auto summary = summarise(posterior);
  EXPECT_FALSE(summary->from_covariance);
  EXPECT_FALSE(summary->distinct.has_value());
  EXPECT_GT(summary->coefficients[1].deviation, 0);
  posterior.particles.conservativeResize(1, Eigen::NoChange);
  EXPECT_TRUE(std::isnan(summarise(posterior)->coefficients[1].deviation)) << "one particle has no spread";
  EXPECT_FALSE(summarise(made_classes()).has_value()) << "a network's parameters say nothing";
}

TEST(Summary, CountsParticlesThatAreDifferent) {
  Posterior posterior = made_binary();
  const Index d = posterior.particles.cols();
  posterior.covariance = DoubleMatrix::Identity(d, d);
  posterior.particles = random_matrix(10, d, 3);
  const double drawn = *summarise(posterior)->distinct;
  posterior.particles *= 1e-4_r;
  EXPECT_NEAR(*summarise(posterior)->distinct, 1, 0.01);
  EXPECT_GT(*summarise(posterior)->ksd, 0.1);
  posterior.particles *= 1e6_r;
  EXPECT_NEAR(*summarise(posterior)->distinct, 10, 0.01);
  EXPECT_GT(drawn, 4);
  EXPECT_LT(drawn, 10);
}

// Two hundred data sets with known coefficients, each fitted by Newton's method and stored with its curvature: nine in
// ten intervals hold the truth. Their particles, close together as runs leave them, would hold it hardly ever.
TEST(Summary, NineInTenIntervalsHoldTheTruth) {
  const double truth[] = {0.8, -0.4, 0.0};
  const double constant = 0.3;
  const Index columns = 3;
  const Index count = 150;
  const LogisticRegression model(
      columns, {.prior = LogisticRegression::Prior::kNormal, .prior_deviation = 10, .intercept = true});
  int held = 0;
  int held_by_particles = 0;
  int intervals = 0;
  for (std::uint64_t set = 0; set < 200; ++set) {
    const Matrix x = random_matrix(count, columns, 100 + set);
    Vector y(count);
    Rng rng({.seed = 5000 + set, .purpose = Purpose::kTest});
    for (Index i = 0; i < count; ++i) {
      double logit = constant;
      for (Index k = 0; k < columns; ++k) logit += truth[k] * static_cast<double>(x(i, k));
      y(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1.0_r : -1.0_r;
    }
    RowVector theta = RowVector::Zero(columns + 1);
    for (int step = 0; step < 12; ++step) {
      Matrix slope = Matrix::Zero(1, columns + 1);
      model.add_prior_score(theta, 1, slope);
      model.add_likelihood_score(theta, {x, y}, 1, slope);
      const DoubleMatrix information = posterior_information(model, theta, {x, y});
      theta += information.ldlt().solve(slope.transpose().cast<double>()).transpose().cast<Real>();
    }
    Posterior posterior = made_binary();
    posterior.scaling = {};
    posterior.scaling.shift = DoubleVector::Zero(columns);
    posterior.scaling.spread = DoubleVector::Ones(columns);
    posterior.particles = theta.replicate(5, 1) + 0.01_r * random_matrix(5, columns + 1, set);
    const auto narrow = summarise(posterior);
    posterior.covariance = posterior_covariance(model, theta, {x, y}).value();
    const auto summary = summarise(posterior);
    for (Index k = 0; k <= columns; ++k) {
      const double value = k == 0 ? constant : truth[k - 1];
      const auto at = static_cast<std::size_t>(k);
      const auto holds = [&](const CoefficientRow& row) { return row.low <= value && value <= row.high; };
      held += holds(summary->coefficients[at]) ? 1 : 0;
      held_by_particles += holds(narrow->coefficients[at]) ? 1 : 0;
      ++intervals;
    }
  }
  EXPECT_NEAR(static_cast<double>(held) / intervals, 0.9, 0.035);
  EXPECT_LT(static_cast<double>(held_by_particles) / intervals, 0.4);
}

}  // namespace
}  // namespace fedstein
