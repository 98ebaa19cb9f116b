// SPDX-License-Identifier: Apache-2.0
// forecast() says what predict() and log_predictive() say, which are the plain versions of it.
#include <gtest/gtest.h>

#include <limits>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "fedstein/numeric/parallel.h"
#include "model/linear_data.h"
#include "support/close.h"

namespace fedstein {
namespace {

void expect_same(const Predictive& model, const Matrix& theta, const Batch& batch) {
  const Forecast forecast = model.forecast(theta, batch);
  const Prediction prediction = model.predict(theta, batch.x);
  EXPECT_TRUE(close(forecast.probabilities, prediction.probabilities));
  EXPECT_TRUE(close(forecast.mean, prediction.mean));
  EXPECT_TRUE(close(forecast.log_density, model.log_predictive(theta, batch)));
  if (prediction.mean.size() > 0) {
    const DoubleVector variance = prediction.aleatoric_variance + prediction.epistemic_variance;
    EXPECT_TRUE(close(forecast.variance, variance));
  }
  Forecast serial;
  {
    const ThreadLimit one(1);
    serial = model.forecast(theta, batch);
  }
  EXPECT_TRUE(identical(forecast.probabilities, serial.probabilities));
  EXPECT_TRUE(close(forecast.mean, serial.mean, 0));
  EXPECT_TRUE(close(forecast.log_density, serial.log_density, 0));
}

// Shapes on both sides of where the kernel for few particles begins.
using Prior = LogisticRegression::Prior;
class LogisticForecast : public testing::TestWithParam<std::tuple<Index, Index, bool, Index, Prior>> {};

TEST_P(LogisticForecast, EqualsBothParts) {
  const auto [rows, particles, intercept, inputs, prior] = GetParam();
  const LogisticRegression model(inputs, {.prior = prior, .intercept = intercept});
  const Rows data = signed_rows(rows, inputs, 1);
  expect_same(model, random_matrix(particles, model.dimension(), 2), data.batch());
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         LogisticForecast,
                         testing::Combine(testing::Values(1, 13, 1024, 2500),
                                          testing::Values(1, 2, 6, 8, 9),
                                          testing::Bool(),
                                          testing::Values(7, 54),
                                          testing::Values(Prior::kGamma, Prior::kNormal)));

TEST(ForecastOfLogisticRegression, SmoothedPredictionsAsWell) {
  const LogisticRegression model(54, {.smoothing = 0.55});
  expect_same(model, random_matrix(6, model.dimension(), 3), signed_rows(300, 54, 4).batch());
}

// Margins from hundreds down to minus hundreds: no label is impossible, only improbable.
TEST(ForecastOfLogisticRegression, LabelsMayBeAsImprobableAsTheyLike) {
  const LogisticRegression model(54);
  const Rows data = signed_rows(500, 54, 5);
  for (const double deviation : {5.0, 20.0, 100.0}) {
    const Matrix theta = random_matrix(2, model.dimension(), 6, 0, deviation);
    EXPECT_LT(model.log_predictive(theta, data.batch()).minCoeff(), deviation < 20 ? -20 : -100);
    expect_same(model, theta, data.batch());
  }
}

TEST(ForecastOfLogisticRegression, WhatIsNoNumberStaysNone) {
  const LogisticRegression model(54);
  const Rows data = signed_rows(9, 54, 7);
  Matrix theta = random_matrix(6, model.dimension(), 8);
  theta(2, 5) = std::numeric_limits<Real>::quiet_NaN();
  const Forecast forecast = model.forecast(theta, data.batch());
  EXPECT_TRUE(forecast.probabilities.array().isNaN().all());
}

TEST(Forecast, OfAClassifier) {
  const BnnClassification model({.inputs = 5, .hidden = 7, .classes = 4});
  expect_same(model, random_matrix(6, model.dimension(), 9), class_rows(700, 5, 4, 10).batch());
}

TEST(Forecast, OfARegression) {
  const BnnRegression model({.inputs = 5, .hidden = 7});
  expect_same(model, random_matrix(6, model.dimension(), 11), target_rows(700, 5, 12).batch());
}

TEST(Forecast, OfModelsThatAreLinear) {
  const LinearRegression linear({.weights = {.inputs = 5}});
  expect_same(linear, random_matrix(6, linear.dimension(), 11), target_rows(700, 5, 12).batch());
  const SoftmaxRegression softmax({.inputs = 5, .classes = 4});
  expect_same(softmax, random_matrix(6, softmax.dimension(), 11), class_rows(700, 5, 4, 12).batch());
  const NegativeBinomialRegression counts({.weights = {.inputs = 5}});
  expect_same(counts, random_matrix(6, counts.dimension(), 11), count_rows(700, 5, 12).batch());
}

}  // namespace
}  // namespace fedstein
