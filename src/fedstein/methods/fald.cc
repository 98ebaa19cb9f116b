// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fald.h"

#include <cmath>
#include <limits>

#include "fedstein/methods/dsgld.h"

namespace fedstein {
namespace {

// Stands for all agents where a stream is named by one.
constexpr std::uint64_t kEverybody = std::numeric_limits<std::uint64_t>::max();

}  // namespace

// ---- at the agent

Particles fald_trajectory(const AgentContext& context, const FaldSetup& options, const Task& task, const Terms& terms) {
  const auto n_k = static_cast<double>(context.data.rows());
  const auto n_s = static_cast<double>(task.belief.back()(0, 0));
  const auto round = static_cast<std::uint64_t>(task.round);
  const LangevinLoop loop{
      .steps = options.local_steps,
      .time = (task.round - 1) * options.local_steps,
      .noise = {.seed = context.seed, .agent = static_cast<std::uint64_t>(context.agent), .round = round},
      .shared_noise = {.seed = context.seed, .agent = kEverybody, .round = round},
      .shared = options.shared_noise,
      .own_deviation = std::sqrt(n_s / n_k)};
  Particles chains = starting_point(context, task);
  langevin(*context.model, options, loop, terms, chains);
  return chains;
}

Update FaldAgent::update(const Task& task) {
  const double weight = shard_weight(context_, options_);  // n/n_k
  if (weight == 0) return {task.round, task.agent, {task.belief.front()}};
  const PriorScore prior(*context_.model);
  const ChainLikelihood loglik(context_, options_, task.round);
  const Terms terms = {{+1, prior}, {weight / options_.temperature, loglik}};
  return {task.round, task.agent, {fald_trajectory(context_, options_, task, terms)}};
}

// ---- at the server

Matrix rows_of_round(const std::vector<Index>& rows, const std::vector<Index>& agents) {
  Index sum = 0;
  for (const Index agent : agents) sum += rows.at(static_cast<std::size_t>(agent));
  return Matrix::Constant(1, 1, static_cast<Real>(sum));
}

FaldServer::FaldServer(const ServerContext& context, const FaldSetup& options)
    : PointServer("fald server", context, {initial_particles(*context.model, options, context.seed)}),
      rows_(context.rows) {}

std::vector<Task> FaldServer::plan(Index round, const std::vector<Index>& agents) const {
  std::vector<Task> tasks = PointServer::plan(round, agents);
  for (Task& task : tasks) task.belief.push_back(rows_of_round(rows_, agents));
  return tasks;
}

std::vector<Verdict> FaldServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = shares(updates);
  std::vector<Verdict> verdicts = accept(round, updates, weights);
  replace({checked_point(weighted_sum(updates, weights), "fald")});
  return verdicts;
}

// ---- the method

std::vector<Setting> fald_settings() {
  std::vector<Setting> settings;
  for (Setting& setting : langevin_settings("step size a0 (0.5 + t)^-0.55, like that of SGLD")) {
    const bool released = setting.key == "noise" || setting.key == "scale_by_particles";
    if (!released) settings.push_back(std::move(setting));
  }
  settings.push_back({.key = "shared_noise",
                      .standard = FaldSetup().shared_noise,
                      .help = "tau, the share of the noise's variance that all agents have in common",
                      .least = 0,
                      .most = 1});
  return settings;
}

FaldSetup fald_options(const Settings& settings) {
  return {langevin_options(settings), settings.number("shared_noise")};
}

Algorithm fald_algorithm(const ParticleExtras& extras) {
  return {
      .name = "fald",
      .summary = "federated averaging Langevin dynamics: agents move all N chains and the server averages them",
      .parallel = true,
      .settings = fald_settings(),
      .make_server = makes<FaldServer>(fald_options, extras),
      .make_agent = makes<FaldAgent>(fald_options, extras),
  };
}

}  // namespace fedstein
