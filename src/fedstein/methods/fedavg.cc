// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedavg.h"

#include "fedstein/methods/points/tuned_point.h"

namespace fedstein {

// ---- at the agent

FedAvgAgent::FedAvgAgent(const AgentContext& context, const FedAvgSetup& options)
    : context_(context), options_(options), descent_(*context.model, options) {}

Update FedAvgAgent::update(const Task& task) {
  const LocalLoss loss(context_, options_, task.round);
  const Matrix start = starting_point(context_, task);
  const AnchorScore proximity(start);
  Terms terms = loss.terms();
  if (options_.proximal > 0) terms.emplace_back(options_.proximal, proximity);

  Matrix next = start;
  descent_(next, terms, options_.local_steps);
  return {task.round, task.agent, {next}};
}

// ---- at the server

FedAvgServer::FedAvgServer(const ServerContext& context, const FedAvgSetup& options)
    : PointServer("averaging server", context, {initial_point(*context.model, options, context.seed)}),
      released_(options.weighting == "released") {}

std::vector<Verdict> FedAvgServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = released_ ? total_shares(updates) : shares(updates);
  return take(weighted_sum(updates, weights), accept(round, updates, weights));
}

std::vector<Verdict> FedAvgServer::fold_sum(Index round,
                                            const std::vector<DoubleMatrix>& sum,
                                            const std::vector<Index>& agents) {
  check_sum(sum, agents, belief());
  const double all = released_ ? weight_of_all() : weight_of(agents);
  return take(sum.front() / all, accept(round, agents, shares_of(agents, all)));
}

std::vector<Verdict> FedAvgServer::take(DoubleMatrix next, std::vector<Verdict> verdicts) {
  if (released_) {
    double taken = 0;
    for (const Verdict& verdict : verdicts) taken += verdict.weight;
    next += (1 - taken) * belief().front().cast<double>();
  }
  replace({checked_point(next, "fedavg")});
  return verdicts;
}

// ---- the method

std::vector<Setting> fedavg_settings() {
  std::vector<Setting> settings = point_settings();
  settings.push_back({.key = "weighting",
                      .standard = FedAvgSetup{}.weighting,
                      .help = "how the server averages; rows: by numbers of rows over the round's agents; released: as "
                              "the released code, a step of n_k/n",
                      .choices = {"rows", "released"}});
  return settings;
}

FedAvgSetup fedavg_options(const Settings& settings) {
  FedAvgSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  if (settings.has("weighting")) options.weighting = settings.text("weighting");
  if (options.weighting == "released" && options.start == "usual") options.start = "prior";
  return options;
}

Algorithm fedavg_algorithm(const ParticleExtras& extras) {
  Algorithm made{
      .name = "fedavg",
      .summary = "federated averaging: agents train one set of weights and the server averages them",
      .parallel = true,
      .settings = fedavg_settings(),
  };
  const auto recipe = [](const Settings&) { return PointRecipe{}; };
  make_tunable<FedAvgServer, FedAvgAgent>(made, fedavg_options, recipe, extras);
  return made;
}

}  // namespace fedstein
