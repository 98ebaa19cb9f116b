// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/network_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "model/model_data.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double log_normal(double value, double variance) {
  return -0.5 * (value * value / variance + std::log(2 * std::numbers::pi * variance));
}

// Weights into a unit with m inputs N(0, 0.5 / m), biases N(0, 1); what lies behind the network does not count.
TEST(NetworkPrior, ByLayersHasAVarianceForEach) {
  const Network net("test", 3, 4, 2);
  const NetworkPrior prior("test", net, 0);
  const Matrix theta = random_matrix(5, net.size() + 1, 1);
  const DoubleVector found = prior.log_density(theta);
  for (Index n = 0; n < theta.rows(); ++n) {
    double expected = 0;
    for (Index k = 0; k < net.size(); ++k) {
      const bool first = k < 12;
      const bool second = k >= 16 && k < 24;
      expected += log_normal(double{theta(n, k)}, first ? 0.5 / 3 : second ? 0.5 / 4 : 1);
    }
    EXPECT_NEAR(found(n), expected, 1e-4);
  }
}

TEST(NetworkPrior, OnePrecisionForAllIsThePapers) {
  const Network net("test", 3, 4, 2);
  const Matrix theta = random_matrix(2, net.size(), 1);
  double expected = 0;
  for (Index k = 0; k < net.size(); ++k) expected += log_normal(double{theta(1, k)}, 1 / std::numbers::e);
  EXPECT_NEAR(NetworkPrior("test", net, std::numbers::e).log_density(theta)(1), expected, 1e-4);
}

// What the layers' variances are for: outputs of the size of a standardised target, however wide the network.
TEST(NetworkPrior, ByLayersOutputsHaveOneSizeWhateverTheWidth) {
  for (const Index hidden : {10, 200}) {
    const Network net("test", 20, hidden, 1);
    const NetworkPrior prior("test", net, 0);
    Matrix precisions = Matrix::Zero(1, net.size());
    prior.add_score(Matrix::Ones(1, net.size()), -1, precisions);
    Matrix theta = random_matrix(400, net.size(), 3);
    theta.array().rowwise() /= precisions.row(0).array().sqrt();
    const Matrix x = random_matrix(50, 20, 4);
    double squares = 0;
    for (Index n = 0; n < theta.rows(); ++n) {
      Matrix active(50, hidden);
      Matrix out(1, 50);
      net.forward(theta.row(n), x, active, out);
      squares += out.cast<double>().squaredNorm() / static_cast<double>(50 * theta.rows());
    }
    EXPECT_NEAR(std::sqrt(squares), 1.2, 0.15) << hidden << " units";
  }
}

TEST(NetworkPrior, RefusesAPrecisionBelowZero) {
  const Network net("test", 3, 4, 2);
  EXPECT_THROW_MESSAGE(NetworkPrior("test", net, -1),
                       InvalidArgument,
                       "test: prior_precision is -1; it must be a finite number, 0 or above");
}

}  // namespace
}  // namespace fedstein
