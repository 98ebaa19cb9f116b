// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/svgd.h"

#include "fedstein/federated/state.h"
#include "fedstein/methods/particles/replace_server.h"
#include "fedstein/methods/particles/repulsion.h"

namespace fedstein {
namespace {

std::vector<Setting> svgd_settings() {
  std::vector<Setting> settings = particle_settings();
  for (Setting& setting : repulsion_settings()) settings.push_back(std::move(setting));
  return settings;
}

ParticleOptions svgd_options(const Settings& settings) {
  ParticleOptions options = particle_options(settings);
  read_repulsion(settings, options);
  return options;
}

}  // namespace

SvgdAgent::SvgdAgent(const AgentContext& context, const ParticleOptions& options)
    : context_(context), options_(options), svgd_(*context.model, options) {
  check_repulsion(*context.model, options);
}

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
  const auto repulsion = repulsion_of(context_, options_, *loglik, /*round=*/0);
  Terms terms{{+1, prior}, {1 / options_.temperature, *loglik}};
  if (repulsion)
    terms.emplace_back(options_.repulsion_strength * static_cast<double>(context_.data.rows()), *repulsion);
  svgd_(next, terms, task, how);

  pending_.wait(task.round, state->memory());
  return {task.round, task.agent, {next}};
}

void SvgdAgent::settle(const Verdict& verdict, const Update& /*as_sent*/) {
  auto memory = pending_.settle(verdict);
  if (!memory) return;
  memory_ = std::move(*memory);
  steps_ += options_.local_steps;
}

std::string SvgdAgent::save() const {
  StateWriter writer("svgd agent");
  writer.integer(steps_);
  writer.matrices(memory_);
  pending_.write(writer);
  return std::move(writer).finish();
}

void SvgdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "svgd agent");
  const Index steps = reader.integer();
  auto memory = reader.matrices();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  steps_ = steps;
  memory_ = std::move(memory);
  pending_ = std::move(pending);
}

Index SvgdAgent::state_size() const {
  return size_of(memory_) + size_of(pending_.values());
}

Algorithm svgd_algorithm(const ParticleExtras& extras) {
  return {
      .name = "svgd",
      .summary = "centralised SVGD on all data: the reference for the federated methods",
      .centralised = true,
      .settings = svgd_settings(),
      .make_server =
          [extras](const ServerContext& context, const Settings& settings) {
            return make_replace_server(context, extras.in(svgd_options(settings)));
          },
      .make_agent = makes<SvgdAgent>(svgd_options, extras),
  };
}

}  // namespace fedstein
