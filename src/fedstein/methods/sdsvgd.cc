// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/sdsvgd.h"

#include "fedstein/numeric/check.h"
#include "fedstein/stein/kde.h"

namespace fedstein {
namespace {

SdsvgdSetup sdsvgd_options(const Settings& settings) {
  return {particle_options(settings), settings.number("damping"), settings.integer("distillation_steps")};
}

Belief first_particles(const ServerContext& context, const SdsvgdSetup& options) {
  const Particles start = initial_particles(*context.model, options, context.seed);
  if (options.distillation_steps == 0) return {start};
  return {start, start};
}

}  // namespace

// ---- at the agent

SdsvgdAgent::SdsvgdAgent(const AgentContext& context, const SdsvgdSetup& options)
    : ForgetfulAgent("sdsvgd agent"), context_(context), options_(options), svgd_(*context.model, options) {
  check_argument(context.agents >= 1, "sdsvgd", "the number of agents is not known here");
}

Update SdsvgdAgent::update(const Task& task) {
  const PriorScore prior(*context_.model);
  const auto loglik_k = likelihood_of(context_, options_, task.round);
  Particles next = starting_point(context_, task);
  if (task.version == 0) {
    svgd_(next, {{+1, prior}, {1 / options_.temperature, *loglik_k}}, task);
    return {task.round, task.agent, {next}};
  }
  const Kde q(task.belief.front(), options_.kde_bandwidth);
  if (options_.distillation_steps == 0) {
    const double share = 1 / static_cast<double>(context_.agents);
    svgd_(next, {{1 - share, q}, {share, prior}, {1 / options_.temperature, *loglik_k}}, task);
    return {task.round, task.agent, {next}};
  }
  const Kde prior_and_t(task.belief.at(1), options_.kde_bandwidth);
  svgd_(next, {{+1, q}, {-1, prior_and_t}, {+1, prior}, {1 / options_.temperature, *loglik_k}}, task);
  return {task.round, task.agent, {next}};
}

// ---- at the server

SdsvgdServer::SdsvgdServer(const ServerContext& context, const SdsvgdSetup& options)
    : model_(context.model),
      options_(options),
      svgd_(*context.model, options),
      agents_(static_cast<Index>(context.rows.size())),
      belief_(first_particles(context, options)) {
  check_argument(agents_ >= 1, "sdsvgd", "rows is empty; the server must know how many agents there are");
}

std::vector<Verdict> SdsvgdServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  const double rho = options_.damping > 0 ? options_.damping : 1 / static_cast<double>(updates.size());
  Particles z = belief_.front();
  for (const Update& update : updates) z += static_cast<Real>(rho) * (update.belief.front() - belief_.front());
  if (first_non_finite(z).row >= 0) throw Divergence("sdsvgd: the mean of the agents' moves is not finite");
  if (const auto constrain = constraint_of(*model_)) constrain(z);

  Belief next = {std::move(z)};
  if (options_.distillation_steps > 0) {
    const double share = 1 / static_cast<double>(agents_);
    const PriorScore prior(*model_);
    const Kde q(next.front(), options_.kde_bandwidth);
    next.push_back(belief_[1]);
    svgd_(next.back(), {{1 - share, prior}, {share, q}}, options_.distillation_steps);
  }

  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    verdicts.push_back({.round = round, .agent = update.agent, .folded = true, .weight = rho});
  }
  belief_.replace(std::move(next));
  return verdicts;
}

Algorithm sdsvgd_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = particle_settings();
  const SdsvgdSetup standard;
  settings.push_back(
      {.key = "damping",
       .standard = standard.damping,
       .help = "rho, the share of an agent's update that is applied; 0: one over the number of agents in the round",
       .least = 0,
       .most = 1});
  settings.push_back(
      {.key = "distillation_steps",
       .standard = standard.distillation_steps,
       .help =
           "SVGD steps of the server for the averaged likelihood particles, L'; 0: none, the average follows from q",
       .least = 0});
  return {
      .name = "sdsvgd",
      .summary = "stateless DSVGD: one averaged likelihood replaces every agent's factor",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<SdsvgdServer>(sdsvgd_options, extras),
      .make_agent = makes<SdsvgdAgent>(sdsvgd_options, extras),
  };
}

}  // namespace fedstein
