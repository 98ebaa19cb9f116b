// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/log_density_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/gradient_check.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Logistic regression with a plain normal prior, written as a user would.
LogDensityParts logistic_parts() {
  LogDensityParts parts;
  parts.dimension = 3;
  parts.inputs = 3;
  parts.prior_deviation = 2;
  parts.log_likelihood = [](const ConstRowRef& w, const ConstRowRef& x, Real y) {
    return -std::log1p(std::exp(-static_cast<double>(y * w.dot(x))));
  };
  parts.add_score = [](const ConstRowRef& w, const ConstRowRef& x, Real y, Real weight, RowRef grad) {
    grad += weight * y / (1 + std::exp(y * w.dot(x))) * x;
  };
  return parts;
}

TEST(LogDensityModel, EqualsTheModelItSpellsOut) {
  const LogDensityModel model(logistic_parts());
  const LogisticRegression exact(3);
  const Rows data = signed_rows(300, 3, 1);
  const Matrix theta = random_matrix(4, 3, 2);
  Matrix longer = Matrix::Zero(4, 4);
  longer.leftCols(3) = theta;
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), exact.log_likelihood(longer, data.batch())));
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), exact.log_predictive(longer, data.batch())));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch(), 0.5),
                    likelihood_score(exact, longer, data.batch(), 0.5).leftCols(3)));
  EXPECT_EQ(model.predictive(), nullptr);
}

TEST(LogDensityModel, PriorScoreIsItsGradient) {
  const LogDensityModel model(logistic_parts());
  const GradientReport report =
      check_gradient([&](const ConstMatrixRef& theta) { return model.prior_log_density(theta); },
                     PriorScore(model),
                     random_matrix(5, 3, 3));
  EXPECT_TRUE(report) << report.message;
  Matrix particles(20000, 3);
  Rng rng({.seed = 4, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  EXPECT_NEAR(particles.cast<double>().array().square().mean(), 4, 0.1);
}

TEST(LogDensityModel, RefusesMissingParts) {
  LogDensityParts parts = logistic_parts();
  parts.add_score = {};
  EXPECT_THROW_MESSAGE(LogDensityModel(parts), InvalidArgument, "log_likelihood or add_score is empty");
  parts = logistic_parts();
  parts.dimension = 0;
  EXPECT_THROW_MESSAGE(LogDensityModel(parts), InvalidArgument, "dimension is 0");
  const Matrix theta = random_matrix(1, 3, 5);
  EXPECT_THROW_MESSAGE(LogDensityModel(logistic_parts()).log_likelihood(theta, signed_rows(2, 4, 6).batch()),
                       InvalidArgument,
                       "x is 2 x 4; it must have 3 columns");
}

}  // namespace
}  // namespace fedstein
