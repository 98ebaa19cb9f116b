// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/scaffold.h"

#include "fedstein/methods/particles/constant_score.h"
#include "fedstein/methods/points/mean_server.h"
#include "fedstein/methods/points/tuned_point.h"

namespace fedstein {
namespace {

ScaffoldSetup scaffold_options(const Settings& settings) {
  ScaffoldSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.weighting = settings.text("weighting");
  options.server_rate = settings.number("server_rate");
  return options;
}

Belief start_of(const ServerContext& context, const ScaffoldSetup& options) {
  return {initial_point(*context.model, options, context.seed), Matrix::Zero(1, context.model->dimension())};
}

}  // namespace

// ---- at the agent

ScaffoldAgent::ScaffoldAgent(const AgentContext& context, const ScaffoldSetup& options)
    : KeepingAgent("scaffold agent", context.model->dimension()),
      context_(context),
      options_(options),
      descent_(*context.model, options) {}

Update ScaffoldAgent::update(const Task& task) {
  const LocalLoss loss(context_, options_, task.round);
  const Matrix correction = task.belief.at(1) - kept();  // c - c_k
  const ConstantScore corrected(correction);
  Terms terms = loss.terms();
  terms.emplace_back(+1, corrected);

  Matrix y = starting_point(context_, task);
  DoubleMatrix sum = DoubleMatrix::Zero(y.rows(), y.cols());
  SvgdOptions how = descent_.options(options_.local_steps);
  how.observe = [&](const SvgdOptions::Trace& trace) { sum += trace.scores.cast<double>(); };
  descent_.run(y, terms, how);

  Matrix change = Matrix::Zero(y.rows(), y.cols());  // c_k+ - c_k
  if (options_.local_steps > 0) {
    change = (sum / static_cast<double>(options_.local_steps)).cast<Real>() - task.belief.at(1);
  }
  wait(task.round, kept() + change);
  return {task.round, task.agent, {std::move(y), std::move(change)}};
}

// ---- at the server

ScaffoldServer::ScaffoldServer(const ServerContext& context, const ScaffoldSetup& options)
    : PointServer("scaffold server", context, start_of(context, options)),
      options_(options),
      agents_(static_cast<Index>(context.rows.size())) {}

std::vector<Verdict> ScaffoldServer::fold(Index round, const std::vector<Update>& updates) {
  std::vector<double> in_round = shares(updates);
  std::vector<double> in_all = total_shares(updates);
  if (options_.weighting == "uniform") {
    in_round.assign(updates.size(), 1 / static_cast<double>(updates.size()));
    in_all.assign(updates.size(), 1 / static_cast<double>(agents_));
  }
  return take(weighted_sum(updates, in_round, 0), weighted_sum(updates, in_all, 1), accept(round, updates, in_round));
}

std::vector<double> ScaffoldServer::weights(Index agent) const {
  const double weight = options_.weighting == "uniform" ? 1 : weight_of(agent);
  return {weight, weight};
}

std::vector<Verdict> ScaffoldServer::fold_sum(Index round,
                                              const std::vector<DoubleMatrix>& sum,
                                              const std::vector<Index>& agents) {
  check_sum(sum, agents, belief());
  const bool uniform = options_.weighting == "uniform";
  const double here = uniform ? static_cast<double>(agents.size()) : weight_of(agents);
  const double all = uniform ? static_cast<double>(agents_) : weight_of_all();
  const std::vector<double> shares = uniform ? std::vector<double>(agents.size(), 1 / here) : shares_of(agents, here);
  return take(sum[0] / here, sum[1] / all, accept(round, agents, shares));
}

std::vector<Verdict> ScaffoldServer::take(const DoubleMatrix& point,
                                          const DoubleMatrix& change,
                                          std::vector<Verdict> verdicts) {
  const double rate = options_.server_rate;
  DoubleMatrix x = rate * point;
  if (rate != 1) x += (1 - rate) * belief()[0].cast<double>();
  const DoubleMatrix c = belief()[1].cast<double>() + change;
  replace({checked_point(x, "scaffold"), checked_point(c, "scaffold")});
  return verdicts;
}

// ---- the method

Algorithm scaffold_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = plain_point_settings();
  settings.push_back(weighting_setting());
  const ScaffoldSetup standard;
  settings.push_back({.key = "server_rate",
                      .standard = standard.server_rate,
                      .help = "step size of the server, eta_g",
                      .least = kAboveZero});
  Algorithm made{
      .name = "scaffold",
      .summary = "FedAvg with control variates that correct the drift of agents with skewed data",
      .parallel = true,
      .settings = std::move(settings),
  };
  const auto recipe = [](const Settings&) { return PointRecipe{.variates = true}; };
  make_tunable<ScaffoldServer, ScaffoldAgent>(made, scaffold_options, recipe, extras);
  return made;
}

}  // namespace fedstein
