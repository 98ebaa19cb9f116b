// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/langevin/langevin.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

// The paper's schedule: from about 0.01 to 0.0001 over some thousand steps.
constexpr double kOffset = 0.5;
constexpr double kDecay = -0.55;

// Rows times coordinates that are worth a thread of their own: some tens of microseconds. With fewer, chains spend
// their time on waiting for each other's turn to draw rows.
constexpr Index kPieceWork = Index{1} << 18;

}  // namespace

std::vector<Setting> langevin_settings(const std::string& a0_help) {
  const LangevinOptions standard;
  std::vector<Setting> settings = shared_settings({"particles", "local_steps", "batch", "temperature", "start"});
  setting_named("particles", settings).help = "number of chains N";
  setting_named("local_steps", settings).help = "Langevin steps in a round, L";
  setting_named("start", settings).help = "initial chains: prior draws, or N(0, 0.1^2)";
  const std::vector<Setting> own = {
      {.key = "a0", .standard = standard.a0, .help = a0_help, .least = kAboveZero},
      {.key = "noise",
       .standard = standard.noise,
       .help = "noise of a step; langevin: one number for each coordinate, with the step as variance; released: as the "
               "released code, one number for all",
       .choices = {"langevin", "released"}},
      {.key = "chain_batches",
       .standard = standard.chain_batches,
       .help = "minibatches of the chains; own: each chain its own rows; shared: the same rows for all chains, as the "
               "released code",
       .choices = {"own", "shared"}},
      {.key = "scale_by_particles",
       .standard = standard.scale_by_particles,
       .help = "divide the step by N, as the paper does for DSVGD's rivals"},
  };
  settings.insert(settings.end(), own.begin(), own.end());
  return settings;
}

Setting shard_weight_setting() {
  return {.key = "shard_weight",
          .standard = LangevinOptions().shard_weight,
          .help =
              "weight of an agent's likelihood; rows: n/n_k, for turns by numbers of rows; agents: K, for equal turns; "
              "released: 1, as the released code",
          .choices = {"rows", "agents", "released"}};
}

LangevinOptions langevin_options(const Settings& settings) {
  LangevinOptions options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.start = settings.text("start");
  options.a0 = settings.number("a0");
  if (settings.has("noise")) options.noise = settings.text("noise");
  if (settings.has("chain_batches")) options.chain_batches = settings.text("chain_batches");
  if (settings.has("scale_by_particles")) options.scale_by_particles = settings.flag("scale_by_particles");
  if (settings.has("shard_weight")) options.shard_weight = settings.text("shard_weight");
  return options;
}

double langevin_step(const LangevinOptions& options, Index time) {
  const double step = options.a0 * std::pow(kOffset + static_cast<double>(time), kDecay);
  return options.scale_by_particles ? step / static_cast<double>(options.particles) : step;
}

void langevin(const Model& model,
              const LangevinOptions& options,
              const LangevinLoop& loop,
              const Terms& terms,
              MatrixRef chains) {
  StreamId stream = loop.noise;
  stream.purpose = Purpose::kNoise;
  StreamId shared_stream = loop.shared_noise;
  shared_stream.purpose = Purpose::kNoise;
  const double own = std::sqrt(1 - loop.shared) * loop.own_deviation;
  const bool released = options.noise == "released";
  const auto constrain = constraint_of(model);
  Matrix x = chains;
  Matrix score(x.rows(), x.cols());
  Matrix noise = Matrix::Zero(released ? 1 : x.rows(), released ? 1 : x.cols());
  Matrix together(noise.rows(), noise.cols());
  for (Index l = 0; l < loop.steps; ++l) {
    const Index name = loop.first_step + l;
    const double step = langevin_step(options, loop.time + l);
    evaluate_terms(terms, x, name, score);
    // Drawing is what a step of a network costs most, so what counts nothing is not drawn.
    const double deviation = released ? step * step : own * std::sqrt(step);
    if (deviation > 0) Rng(stream, static_cast<std::uint64_t>(name)).fill_normal(noise, 0, deviation);
    if (loop.shared > 0) {
      Rng(shared_stream, static_cast<std::uint64_t>(name)).fill_normal(together, 0, std::sqrt(loop.shared * step));
      if (deviation > 0) {
        noise += together;
      } else {
        noise.swap(together);
      }
    }
    x += static_cast<Real>(step / 2) * score;
    if (released) {
      x.array() += noise(0, 0);
    } else {
      x += noise;
    }
    if (constrain) constrain(x);
  }

  // A value that leaves the finite numbers never returns, so one look at the end sees every divergence.
  const Position at = first_non_finite(x);
  if (at.row >= 0) {
    throw Divergence("chain " + std::to_string(at.row) + " is not finite in coordinate " + std::to_string(at.column) +
                     " after " + std::to_string(loop.steps) + " steps; a0 is too large for these scores");
  }
  chains = x;
}

ChainLikelihood::ChainLikelihood(const AgentContext& context, const LangevinOptions& options, Index round)
    : likelihood_(likelihood_of(context, options, round)),
      shared_(options.chain_batches == "shared" || options.batch >= context.data.rows()),
      batch_(options.batch) {}

void ChainLikelihood::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  if (shared_) return likelihood_->add(theta, step, weight, grad);
  // Chain n of N takes the batch that a loop would take in its step l N + n: consecutive places of the same epochs.
  const Index chains = std::max(Index{1}, kPieceWork / (batch_ * theta.cols()));
  parallel_for(theta.rows(), chains, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      likelihood_->add(theta.middleRows(n, 1), step * theta.rows() + n, weight, grad.middleRows(n, 1));
    }
  });
}

}  // namespace fedstein
