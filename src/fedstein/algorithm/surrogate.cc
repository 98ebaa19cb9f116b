// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/surrogate.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kChains = 10;
constexpr Index kLooks = 10;

}  // namespace

void SurrogateScore::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  const auto scale = static_cast<Real>(weight);
  for (Index n = 0; n < theta.rows(); ++n) {
    grad.row(n).array() += scale * (surrogate_.row(0).array() - surrogate_.row(1).array() * theta.row(n).array());
  }
}

Surrogate fit_line(const ConstMatrixRef& theta, const ConstMatrixRef& scores) {
  check_not_empty("fit_line", "theta", theta);
  check_same_shape("fit_line", "scores", scores, "theta", theta);
  Surrogate surrogate(2, theta.cols());
  for (Index j = 0; j < theta.cols(); ++j) {
    const DoubleVector x = theta.col(j).cast<double>();
    const DoubleVector s = scores.col(j).cast<double>();
    const DoubleVector centred = x.array() - x.mean();
    const double spread = centred.squaredNorm();
    const double precision = spread > 0 ? std::max(0.0, -centred.dot(s) / spread) : 0;
    surrogate(0, j) = static_cast<Real>(s.mean() + precision * x.mean());
    surrogate(1, j) = static_cast<Real>(precision);
  }
  return surrogate;
}

Surrogate fit_surrogate(const AgentContext& context, const LangevinOptions& options, Index steps) {
  const Model& model = *context.model;
  const double weight = shard_weight(context, options) / options.temperature;
  if (weight == 0) return Surrogate::Zero(2, model.dimension());
  LangevinOptions local = options;
  local.particles = kChains;
  local.scale_by_particles = false;  // these chains are the agent's own affair
  local.noise = "langevin";
  Particles chains = initial_particles(model, local, context.seed);
  model.fit_start(context.data, chains);

  const PriorScore prior(model);
  const ChainLikelihood loglik(context, local, /*round=*/0);
  const Terms target = {{+1, prior}, {weight, loglik}};
  LangevinLoop loop{.noise = {.seed = context.seed, .agent = static_cast<std::uint64_t>(context.agent)}};
  Matrix points(kLooks * kChains, model.dimension());
  for (Index look = 0; look < kLooks; ++look) {
    // The looks are spread evenly over the second half, the last one at the end.
    const Index until = steps - steps / 2 * (kLooks - 1 - look) / kLooks;
    loop.steps = until - loop.time;
    langevin(model, local, loop, target, chains);
    loop.time = loop.first_step = until;
    points.middleRows(look * kChains, kChains) = chains;
  }
  Matrix scores = Matrix::Zero(points.rows(), points.cols());
  model.add_likelihood_score(points, context.data, 1 / options.temperature, scores);
  return fit_line(points, scores);
}

}  // namespace fedstein
