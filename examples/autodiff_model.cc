// SPDX-License-Identifier: Apache-2.0
// A model of your own without a derivative of your own: counts that scatter more than Poisson's, by a negative binomial
// whose dispersion is learned as well. theta = (w, log r); two agents hold half of the rows each.
#include <cmath>
#include <iostream>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/autodiff_model.h"

using namespace fedstein;

int main() {
  AutoDiffParts counts{.dimension = 3, .inputs = 2, .prior_deviation = 2};
  counts.log_likelihood = [](const auto& theta, const auto& x, const auto& y) {  // y has mean m, variance m + m^2 / r
    const auto r = exp(theta[2]);
    const auto log_mean = theta.segment(0, 2).dot(x);
    const auto log_sum = log(r + exp(log_mean));
    return lgamma(y + r) - lgamma(r) - lgamma(y + 1) + r * (theta[2] - log_sum) + y * (log_mean - log_sum);
  };
  counts.mean = [](const auto& theta, const auto& x) { return exp(theta.segment(0, 2).dot(x)); };
  const AutoDiffModel model(counts);

  // Around exp(1 - z), with z in the second column, by factors of 1/2, 1 and 3/2 in turn.
  Matrix x(60, 2);
  Vector y(60);
  for (Index i = 0; i < x.rows(); ++i) {
    const double z = static_cast<double>(i % 20) / 10 - 1;
    x.row(i) << 1, static_cast<Real>(z);
    y(i) = static_cast<Real>(std::round(std::exp(1 - z) * (0.5 + 0.5 * static_cast<double>(i % 3))));
  }
  const std::vector<Batch> shards = {Batch{x, y}.middle_rows(0, 30), Batch{x, y}.middle_rows(30, 30)};
  Federation federation(methods::c_dsvgd({.particles = 20}), model, shards, {.seed = 1});
  std::cout << federation.run({.rounds = 20}).message() << "\n";

  const RowVector mean = federation.particles().colwise().mean();
  std::cout << "posterior mean of w: " << mean.head(2) << ", of r: " << std::exp(mean(2)) << "\n";
  std::cout << "expected at z = 0: " << model.predictive()->predict(federation.particles(), x.row(10)).mean << "\n";
  return (mean.head(2) - RowVector{{1, -1}}).norm() < 0.3_r ? 0 : 1;
}
