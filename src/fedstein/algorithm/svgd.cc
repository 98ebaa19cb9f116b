// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/svgd.h"

#include "fedstein/algorithm/replace_server.h"
#include "fedstein/federated/state.h"

namespace fedstein {

SvgdAgent::SvgdAgent(const AgentContext& context, const ParticleOptions& options)
    : context_(context), options_(options), svgd_(*context.model, options) {}

Update SvgdAgent::update(const Task& task) {
  Particles next = starting_point(context_, task);
  const PriorScore prior(*context_.model);
  // One stream for the whole run: its steps, not its rounds, choose the rows.
  const auto loglik = likelihood_of(context_, options_, /*round=*/0);
  const auto state = svgd_.step_rule().start(next.rows(), next.cols());
  if (!memory_.empty()) state->recall(memory_);

  SvgdOptions how = svgd_.options(options_.local_steps);
  how.first_step = steps_;
  how.state = state.get();
  svgd_(next, {{+1, prior}, {1 / options_.temperature, *loglik}}, task, how);

  pending_round_ = task.round;
  pending_memory_ = state->memory();
  return {task.round, task.agent, {next}};
}

void SvgdAgent::settle(const Verdict& verdict) {
  if (pending_round_ != verdict.round) return;
  if (verdict.folded) {
    memory_ = pending_memory_;
    steps_ += options_.local_steps;
  }
  pending_round_ = 0;
  pending_memory_.clear();
}

std::string SvgdAgent::save() const {
  StateWriter writer("svgd agent");
  writer.integer(steps_);
  writer.matrices(memory_);
  writer.integer(pending_round_);
  writer.matrices(pending_memory_);
  return std::move(writer).finish();
}

void SvgdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "svgd agent");
  const Index steps = reader.integer();
  auto memory = reader.matrices();
  const Index pending_round = reader.integer();
  auto pending_memory = reader.matrices();
  reader.finish();
  steps_ = steps;
  memory_ = std::move(memory);
  pending_round_ = pending_round;
  pending_memory_ = std::move(pending_memory);
}

Index SvgdAgent::state_size() const {
  Index size = 0;
  for (const Matrix& part : memory_) size += part.size();
  for (const Matrix& part : pending_memory_) size += part.size();
  return size;
}

Algorithm svgd_algorithm() {
  return {
      .name = "svgd",
      .summary = "centralised SVGD on all data: what the federated methods are measured against",
      .centralised = true,
      .settings = particle_settings(),
      .make_server = [](const ServerContext& context,
                        const Settings& settings) { return make_replace_server(context, particle_options(settings)); },
      .make_agent =
          [](const AgentContext& context, const Settings& settings) {
            return std::make_unique<SvgdAgent>(context, particle_options(settings));
          },
  };
}

}  // namespace fedstein
