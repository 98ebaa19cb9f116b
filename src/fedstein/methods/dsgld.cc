// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/dsgld.h"

#include "fedstein/methods/langevin/chain_server.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

double shard_weight(const AgentContext& context, const LangevinOptions& options) {
  if (options.shard_weight == "agents") {
    check_argument(context.agents >= 1, "dsgld", "the number of agents is not known here; shard_weight must be 'rows'");
    return static_cast<double>(context.agents);
  }
  if (context.data.rows() == 0) return 0;
  if (options.shard_weight == "released") return 1;
  return static_cast<double>(context.total_rows) / static_cast<double>(context.data.rows());
}

Particles trajectory(const AgentContext& context, const LangevinOptions& options, const Task& task, const Terms& more) {
  const double weight = shard_weight(context, options);
  if (weight == 0) return task.belief.front();
  Particles chains = starting_point(context, task);
  const PriorScore prior(*context.model);
  const ChainLikelihood loglik(context, options, task.round);
  Terms terms = {{+1, prior}, {weight / options.temperature, loglik}};
  terms.insert(terms.end(), more.begin(), more.end());
  const LangevinLoop loop{.steps = options.local_steps,
                          .time = (task.round - 1) * options.local_steps,
                          .noise = {.seed = context.seed,
                                    .agent = static_cast<std::uint64_t>(context.agent),
                                    .round = static_cast<std::uint64_t>(task.round)}};
  langevin(*context.model, options, loop, terms, chains);
  return chains;
}

Update DsgldAgent::update(const Task& task) {
  return {task.round, task.agent, {trajectory(context_, options_, task, {}), task.belief.at(1)}};
}

Algorithm dsgld_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings =
      langevin_settings("step size a0 (0.5 + t)^-0.55; the paper has 0.01, for Year, MNIST and Fashion-MNIST 0.0005");
  settings.push_back(shard_weight_setting());
  return {
      .name = "dsgld",
      .summary = "distributed SGLD: N chains travel between the agents and take L steps on each agent's data",
      .parallel = true,
      .settings = std::move(settings),
      .make_server =
          [extras](const ServerContext& context, const Settings& given) {
            return std::make_unique<ChainServer>(
                initial_particles(*context.model, extras.in(langevin_options(given)), context.seed),
                static_cast<Index>(context.rows.size()),
                context.seed);
          },
      .make_agent = makes<DsgldAgent>(langevin_options, extras),
  };
}

}  // namespace fedstein
