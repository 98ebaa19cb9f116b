// SPDX-License-Identifier: Apache-2.0
// A model of your own: Poisson regression, counts y of mean exp(w.x). Checks its gradient, fits 30 particles with all
// rows in one place, then with two agents that hold half of them each; the counts are the rounded means for
// w = (0.5, -1).
#include <cmath>
#include <iostream>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/log_density_model.h"
#include "fedstein/stein/gradient_check.h"
#include "fedstein/stein/svgd.h"

int main() {
  using namespace fedstein;
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
  const FullLikelihood likelihood(model, {x, y});
  const PriorScore prior(model);
  Particles particles(30, model.dimension());
  Rng rng({.seed = 1, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);

  const auto log_density = [&](const ConstMatrixRef& theta) { return model.log_likelihood(theta, {x, y}); };
  const GradientReport report = check_gradient(log_density, likelihood, particles);
  std::cout << (report ? "gradient agrees" : report.message) << "\n";
  svgd(particles, {{1, prior}, {1, likelihood}}, {.steps = 500});
  std::cout << "posterior mean " << particles.colwise().mean() << "\n";

  const Algorithm& dsvgd = algorithm_named("dsvgd");
  Settings settings(dsvgd.settings);
  settings.set("particles", Index{30});
  settings.set("local_steps", Index{100});
  const std::vector<Batch> shards = {Batch{x, y}.middle_rows(0, 4), Batch{x, y}.middle_rows(4, 4)};
  Federation federation(dsvgd, settings, model, shards, {.seed = 1});
  class : public Observer {
    Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
  } nobody;
  InProcessTransport transport(federation.agent_pointers());
  coordinate(federation.server(), RoundRobin(2), transport, nobody, {.rounds = 10});
  const Particles together = federation.server().particles();
  std::cout << "federated mean " << together.colwise().mean() << "\n";

  const double apart = static_cast<double>((together.colwise().mean() - particles.colwise().mean()).norm());
  return report && apart < 0.3 ? 0 : 1;
}
