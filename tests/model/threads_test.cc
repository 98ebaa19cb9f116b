// SPDX-License-Identifier: Apache-2.0
// The same bits whatever the number of threads.
#include <gtest/gtest.h>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "fedstein/numeric/parallel.h"
#include "model/linear_data.h"
#include "support/close.h"

namespace fedstein {
namespace {

struct Everything {
  Matrix score;
  DoubleVector log_likelihood;
  DoubleVector log_predictive;
  Prediction prediction;
};

Everything evaluate_all(const Model& model, const Matrix& theta, const Rows& data) {
  return {likelihood_score(model, theta, data.batch(), 0.7),
          model.log_likelihood(theta, data.batch()),
          model.predictive() == nullptr ? DoubleVector() : model.predictive()->log_predictive(theta, data.batch()),
          model.predictive() == nullptr ? Prediction() : model.predictive()->predict(theta, data.x)};
}

void expect_no_influence(const Model& model, const Rows& data, Index particles) {
  const Matrix theta = random_matrix(particles, model.dimension(), 1, 0, 0.3);
  Everything serial;
  {
    const ThreadLimit one(1);
    serial = evaluate_all(model, theta, data);
  }
  const Everything threaded = evaluate_all(model, theta, data);
  EXPECT_TRUE(identical(threaded.score, serial.score));
  EXPECT_TRUE(close(threaded.log_likelihood, serial.log_likelihood, 0));
  EXPECT_TRUE(close(threaded.log_predictive, serial.log_predictive, 0));
  EXPECT_TRUE(identical(threaded.prediction.probabilities, serial.prediction.probabilities));
  EXPECT_TRUE(close(threaded.prediction.mean_entropy, serial.prediction.mean_entropy, 0));
  EXPECT_TRUE(close(threaded.prediction.mean, serial.prediction.mean, 0));
  EXPECT_TRUE(close(threaded.prediction.epistemic_variance, serial.prediction.epistemic_variance, 0));
}

TEST(Threads, LogisticRegression) {
  expect_no_influence(LogisticRegression(10), signed_rows(6000, 10, 2), 6);
}

TEST(Threads, Classification) {
  const BnnClassification model({.inputs = 20, .hidden = 30, .classes = 4});
  expect_no_influence(model, class_rows(100, 20, 4, 3), 20);
  expect_no_influence(model, class_rows(5000, 20, 4, 3), 2);
}

TEST(Threads, Regression) {
  const BnnRegression model({.inputs = 20, .hidden = 30});
  expect_no_influence(model, target_rows(100, 20, 4), 20);
  expect_no_influence(model, target_rows(5000, 20, 4), 2);
}

TEST(Threads, ModelsThatAreLinear) {
  expect_no_influence(LinearRegression({.weights = {.inputs = 10}}), target_rows(6000, 10, 2), 6);
  expect_no_influence(SoftmaxRegression({.inputs = 10, .classes = 4}), class_rows(6000, 10, 4, 2), 6);
  expect_no_influence(NegativeBinomialRegression({.weights = {.inputs = 10}}), count_rows(6000, 10, 2), 6);
}

TEST(Threads, ConjugateGaussian) {
  const ConjugateGaussian model({DoubleVector::Zero(3), DoubleMatrix::Identity(3, 3)}, DoubleMatrix::Identity(3, 3));
  expect_no_influence(model, target_rows(3000, 3, 5), 5);
}

}  // namespace
}  // namespace fedstein
