// SPDX-License-Identifier: Apache-2.0
// One small federation's data for every model there is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "support/random_matrix.h"

namespace fedstein {

struct World {
  std::string name;
  std::shared_ptr<const Model> model;
  Matrix x;
  Vector y;
  Index agents;  // with equal shards

  std::vector<Batch> shards() const {
    std::vector<Batch> out;
    const Index rows = x.rows() / agents;
    for (Index k = 0; k < agents; ++k) out.push_back(Batch{x, y}.middle_rows(k * rows, rows));
    return out;
  }
};

inline World logistic_world(bool robust) {
  const Matrix x = random_matrix(40, 3, 1);
  Vector y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) y(i) = x(i, 0) + x(i, 1) > 0 ? 1 : -1;
  LogisticRegression::Options options;
  if (robust) options.loss = std::make_shared<BetaDivergence>();
  return {robust ? "robust_logistic" : "logistic", std::make_shared<LogisticRegression>(3, options), x, y, 4};
}

inline World network_world(bool classes) {
  const Matrix x = random_matrix(40, 3, 2);
  if (!classes) {
    const BnnRegression::Options options{.inputs = 3, .hidden = 4};
    return {"bnn_regression", std::make_shared<BnnRegression>(options), x, x.col(0) + x.col(1), 4};
  }
  const BnnClassification::Options options{.inputs = 3, .hidden = 4, .classes = 3};
  Vector y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) y(i) = static_cast<Real>((x(i, 0) > -0.5_r) + (x(i, 0) > 0.5_r));
  return {"bnn_classification", std::make_shared<BnnClassification>(options), x, y, 4};
}

inline World linear_world(const std::string& name) {
  const Matrix x = random_matrix(40, 3, 4);
  const LinearWeights weights{.inputs = 3};
  if (name == "linear") {
    return {name, std::make_shared<LinearRegression>(LinearRegression::Options{.weights = weights}), x, x.col(0), 4};
  }
  Vector y(x.rows());
  if (name == "softmax") {
    for (Index i = 0; i < x.rows(); ++i) y(i) = static_cast<Real>((x(i, 0) > -0.5_r) + (x(i, 0) > 0.5_r));
    const SoftmaxRegression::Options options{.inputs = 3, .classes = 3};
    return {name, std::make_shared<SoftmaxRegression>(options), x, y, 4};
  }
  for (Index i = 0; i < x.rows(); ++i) y(i) = static_cast<Real>((i * i) % 4 + (x(i, 0) > 0 ? 3 : 0));
  if (name == "poisson") return {name, std::make_shared<PoissonRegression>(weights), x, y, 4};
  const NegativeBinomialRegression::Options options{.weights = weights};
  return {name, std::make_shared<NegativeBinomialRegression>(options), x, y, 4};
}

inline World mixture_world(const std::string& name, const GaussianMixture& mixture) {
  const Matrix x = mixture.factor_rows();
  return {name, std::make_shared<GaussianMixture>(mixture), x, Vector::Zero(x.rows()), x.rows()};
}

inline World conjugate_world() {
  const Gaussian prior{DoubleVector::Zero(3), DoubleMatrix::Identity(3, 3)};
  return {"conjugate",
          std::make_shared<ConjugateGaussian>(prior, DoubleMatrix::Identity(3, 3) * 4),
          random_matrix(40, 3, 3),
          Vector::Zero(40),
          4};
}

inline std::vector<World> worlds() {
  return {logistic_world(false),
          logistic_world(true),
          network_world(false),
          network_world(true),
          linear_world("linear"),
          linear_world("softmax"),
          linear_world("poisson"),
          linear_world("negative_binomial"),
          mixture_world("mixture_1d", toy_mixture_1d(ToyPrior::kNormal)),
          mixture_world("mixture_1d_uniform", toy_mixture_1d(ToyPrior::kUniform)),
          mixture_world("mixture_2d", toy_mixture_2d()),
          conjugate_world()};
}

}  // namespace fedstein
