// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/sgld.h"

#include "fedstein/federated/state.h"
#include "fedstein/methods/particles/replace_server.h"

namespace fedstein {

Update SgldAgent::update(const Task& task) {
  Particles chains = starting_point(context_, task);
  const PriorScore prior(*context_.model);
  // One stream for the whole run: its steps, not its rounds, choose rows and noise.
  const ChainLikelihood loglik(context_, options_, /*round=*/0);
  const LangevinLoop loop{.steps = options_.local_steps,
                          .time = steps_,
                          .first_step = steps_,
                          .noise = {.seed = context_.seed, .agent = static_cast<std::uint64_t>(context_.agent)}};
  langevin(*context_.model, options_, loop, {{+1, prior}, {1 / options_.temperature, loglik}}, chains);
  pending_round_ = task.round;
  return {task.round, task.agent, {chains}};
}

void SgldAgent::settle(const Verdict& verdict, const Update& /*as_sent*/) {
  if (pending_round_ != verdict.round) return;
  if (verdict.folded) steps_ += options_.local_steps;
  pending_round_ = 0;
}

std::string SgldAgent::save() const {
  StateWriter writer("sgld agent");
  writer.integer(steps_);
  writer.integer(pending_round_);
  return std::move(writer).finish();
}

void SgldAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "sgld agent");
  const Index steps = reader.integer();
  const Index pending_round = reader.integer();
  reader.finish();
  if (steps < 0) throw BadState("saved state: " + std::to_string(steps) + " steps; there cannot be fewer than 0");
  steps_ = steps;
  pending_round_ = pending_round;
}

Algorithm sgld_algorithm(const ParticleExtras& extras) {
  return {
      .name = "sgld",
      .summary = "stochastic gradient Langevin dynamics on all data: N independent chains",
      .centralised = true,
      .settings =
          langevin_settings("step size a0 (0.5 + t)^-0.55; the paper has 0.01, for MNIST and Fashion-MNIST 0.001"),
      .make_server =
          [extras](const ServerContext& context, const Settings& settings) {
            return make_replace_server(context, extras.in(langevin_options(settings)));
          },
      .make_agent = makes<SgldAgent>(langevin_options, extras),
  };
}

}  // namespace fedstein
