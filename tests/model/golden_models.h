// SPDX-License-Identifier: Apache-2.0
// The golden kinds of the model folder, with GoogleTest assertions.
#pragma once

#include <gtest/gtest.h>

#include <numbers>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "golden/golden_files.h"
#include "model/model_data.h"
#include "support/close.h"

namespace fedstein {

inline Vector real_vector(const Json& numbers) {
  return golden_vector(numbers).cast<Real>();
}

// What the three kinds have in common.
inline void check_model(const Model& model, const Json& golden, const Rows& data) {
  const Matrix theta = real_matrix(golden.at("theta"));
  ASSERT_EQ(model.dimension(), theta.cols());
  model.check_data(data.batch());
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), golden_vector(golden.at("log_likelihood"))));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), golden_matrix(golden.at("likelihood_score"))));
  EXPECT_TRUE(close(prior_score(model, theta), golden_matrix(golden.at("prior_score"))));
}

inline void check_logistic_regression(const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("y"))};
  const LogisticRegression model(
      data.x.cols(),
      {.prior_shape = golden.at("prior_shape").get<double>(), .prior_scale = golden.at("prior_scale").get<double>()});
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.prior_log_density(theta), golden_vector(golden.at("log_prior"))));
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities.col(1), golden_vector(golden.at("predictive"))));
}

inline void check_bnn_classification(const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("labels"))};
  const BnnClassification model({.inputs = golden.at("inputs").get<Index>(),
                                 .hidden = golden.at("hidden").get<Index>(),
                                 .classes = golden.at("classes").get<Index>(),
                                 .prior_precision = golden.at("prior_precision").get<double>()});
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities, golden_matrix(golden.at("predictive"))));
}

inline void check_bnn_regression(const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("y"))};
  const BnnRegression model({.inputs = golden.at("inputs").get<Index>(),
                             .hidden = golden.at("hidden").get<Index>(),
                             .prior_precision = golden.at("prior_precision").get<double>()});
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.predict(theta, data.x).mean, golden_vector(golden.at("predictive_mean"))));
}

inline HiddenLayers golden_layers(const Json& golden) {
  return HiddenLayers(golden.at("hidden").get<std::vector<Index>>());
}

inline Activation golden_activation(const Json& golden) {
  const auto name = golden.at("activation").get<std::string>();
  if (name == "tanh") return Activation::kTanh;
  return name == "softplus" ? Activation::kSoftplus : Activation::kRelu;
}

inline Matrix gauss_newton(const Model& model, const Matrix& theta, const Batch& batch) {
  Matrix out = Matrix::Zero(theta.rows(), theta.cols());
  model.gauss_newton()->add_gauss_newton(theta, batch, 1, out);
  return out;
}

inline void check_deep_classification(const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("labels"))};
  const BnnClassification model({.inputs = golden.at("inputs").get<Index>(),
                                 .hidden = golden_layers(golden),
                                 .activation = golden_activation(golden),
                                 .classes = golden.at("classes").get<Index>()});
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities, golden_matrix(golden.at("predictive"))));
  EXPECT_TRUE(
      close(gauss_newton(model, theta, data.batch()), golden_matrix(golden.at("gauss_newton")), kGradientTolerance));
}

inline void check_deep_regression(const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("y"))};
  const BnnRegression model({.inputs = golden.at("inputs").get<Index>(),
                             .hidden = golden_layers(golden),
                             .activation = golden_activation(golden)});
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.predict(theta, data.x).mean, golden_vector(golden.at("predictive_mean"))));
}

// The models that are linear in their weights say all they can.
inline void check_linear_model(const Model& model, const Json& golden) {
  const Rows data{real_matrix(golden.at("x")), real_vector(golden.at("y"))};
  check_model(model, golden, data);
  const Matrix theta = real_matrix(golden.at("theta"));
  EXPECT_TRUE(close(model.prior_log_density(theta), golden_vector(golden.at("log_prior"))));
  Matrix diagonal = Matrix::Zero(theta.rows(), theta.cols());
  model.gauss_newton()->add_gauss_newton(theta, data.batch(), 1, diagonal);
  EXPECT_TRUE(close(diagonal, golden_matrix(golden.at("gauss_newton"))));
  const Predictive& predictive = *model.predictive();
  EXPECT_TRUE(close(predictive.log_predictive(theta, data.batch()), golden_vector(golden.at("log_predictive"))));
  const Prediction found = predictive.predict(theta, data.x);
  if (golden.contains("predictive")) {
    EXPECT_TRUE(close(found.probabilities, golden_matrix(golden.at("predictive"))));
    return;
  }
  EXPECT_TRUE(close(found.mean, golden_vector(golden.at("predictive_mean"))));
  EXPECT_TRUE(close(found.aleatoric_variance, golden_vector(golden.at("aleatoric_variance"))));
  EXPECT_TRUE(close(found.epistemic_variance, golden_vector(golden.at("epistemic_variance"))));
}

inline LinearWeights golden_weights(const Json& golden) {
  return {.inputs = real_matrix(golden.at("x")).cols(), .prior_deviation = golden.at("prior_deviation").get<double>()};
}

inline void check_linear_regression(const Json& golden) {
  const LinearRegression model({.weights = golden_weights(golden),
                                .noise_shape = golden.at("shape").get<double>(),
                                .noise_rate = golden.at("rate").get<double>()});
  check_linear_model(model, golden);
}

inline void check_softmax_regression(const Json& golden) {
  const LinearWeights weights = golden_weights(golden);
  const SoftmaxRegression model({.inputs = weights.inputs,
                                 .classes = golden.at("classes").get<Index>(),
                                 .prior_deviation = weights.prior_deviation});
  check_linear_model(model, golden);
}

inline void check_poisson_regression(const Json& golden) {
  check_linear_model(PoissonRegression(golden_weights(golden)), golden);
}

inline void check_negative_binomial_regression(const Json& golden) {
  const NegativeBinomialRegression model({.weights = golden_weights(golden),
                                          .dispersion_shape = golden.at("shape").get<double>(),
                                          .dispersion_rate = golden.at("rate").get<double>()});
  check_linear_model(model, golden);
}

}  // namespace fedstein
