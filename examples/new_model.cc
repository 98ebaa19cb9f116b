// SPDX-License-Identifier: Apache-2.0
// A model of your own: Poisson regression, counts y of mean exp(w.x). Checks its gradient, then learns it from two
// agents that hold half of the rows each. The counts are the rounded means for w = (0.5, -1).
#include <cmath>
#include <iostream>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/log_density_model.h"
#include "fedstein/stein/gradient_check.h"

using namespace fedstein;

int main() {
  LogDensityParts poisson{.dimension = 2, .inputs = 2};
  poisson.log_likelihood = [](const ConstRowRef& w, const ConstRowRef& x, Real y) {
    return static_cast<double>(y * w.dot(x)) - std::exp(static_cast<double>(w.dot(x)));
  };
  poisson.add_score = [](const ConstRowRef& w, const ConstRowRef& x, Real y, Real weight, RowRef grad) {
    grad += weight * (y - std::exp(w.dot(x))) * x;
  };
  const LogDensityModel model(poisson);

  const Matrix x{{1, -1}, {1, -0.5}, {1, 0}, {1, 0.5}, {1, 1}, {1, -2}, {1, -1.5}, {1, 2}};
  const Vector y{{4, 3, 2, 1, 1, 12, 7, 0}};
  const std::vector<Batch> shards = {Batch{x, y}.middle_rows(0, 4), Batch{x, y}.middle_rows(4, 4)};
  Federation federation(methods::dsvgd({.particles = 30, .local_steps = 100}), model, shards, {.seed = 1});

  const FullLikelihood score(model, {x, y});
  const auto log_density = [&](const ConstMatrixRef& theta) { return model.log_likelihood(theta, {x, y}); };
  const GradientReport report = check_gradient(log_density, score, federation.particles());
  std::cout << (report ? "gradient agrees" : report.message) << "\n";

  std::cout << federation.run({.rounds = 10}).message() << "\n";
  const RowVector mean = federation.particles().colwise().mean();
  std::cout << "posterior mean " << mean << "\n";
  return report && (mean - RowVector{{0.5, -1}}).norm() < 0.2_r ? 0 : 1;
}
