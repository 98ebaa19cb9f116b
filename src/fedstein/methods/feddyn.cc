// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/feddyn.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

FedDynSetup feddyn_options(const Settings& settings) {
  FedDynSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.weighting = settings.text("weighting");
  options.alpha = settings.number("alpha");
  return options;
}

double pull_of(const AgentContext& context, const FedDynSetup& options) {
  if (options.weighting == "uniform" || context.data.rows() == 0) return options.alpha;
  check_argument(context.agents >= 1, "feddyn", "the number of agents is not known here; weighting must be 'uniform'");
  const double mean_rows = static_cast<double>(context.total_rows) / static_cast<double>(context.agents);
  return std::min(options.alpha * mean_rows / static_cast<double>(context.data.rows()), 1 / options.learning_rate);
}

}  // namespace

// ---- at the agent

FedDynAgent::FedDynAgent(const AgentContext& context, const FedDynSetup& options)
    : KeepingAgent("feddyn agent", context.model->dimension()),
      context_(context),
      options_(options),
      descent_(*context.model, options),
      pull_(pull_of(context, options)) {}

Update FedDynAgent::update(const Task& task) {
  const Matrix& x = task.belief.front();
  const LocalLoss loss(context_, options_, task.round);
  const Matrix anchor = x - kept();
  const AnchorScore pull(anchor);
  Terms terms = loss.terms();
  terms.emplace_back(pull_, pull);

  Matrix y = starting_point(context_, task);
  // By rows, an agent without any has a pull without end and stays.
  if (context_.data.rows() > 0 || options_.weighting == "uniform") descent_(y, terms, options_.local_steps);
  wait(task.round, x);
  return {task.round, task.agent, {std::move(y)}};
}

// ---- at the server

FedDynServer::FedDynServer(const ServerContext& context, const FedDynSetup& options)
    : MeanServer("feddyn server", context, {initial_point(*context.model, options, context.seed)}, {.uniform = true}),
      moves_(Matrix::Zero(1, context.model->dimension())) {}

void FedDynServer::take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) {
  const DoubleMatrix x = belief().front().cast<double>();
  const DoubleMatrix moves = moves_.cast<double>() + part_of_all(agents) * (mean.front() - x);
  Matrix next = allowed_point(mean.front() + moves, "feddyn");
  moves_ = checked_point(moves, "feddyn");
  replace({std::move(next)});
}

void FedDynServer::recall(std::vector<Matrix> memory) {
  const std::string objection = objection_to({0, 0, memory}, {moves_});
  if (!objection.empty()) throw BadState("saved state: the agents' moves: " + objection);
  moves_ = std::move(memory.front());
}

// ---- the method

Algorithm feddyn_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = plain_point_settings();
  settings.push_back(weighting_setting());
  settings.push_back({.key = "alpha",
                      .standard = FedDynSetup{}.alpha,
                      .help = "weight of the dynamic regulariser, which pulls to the server's weights",
                      .least = kAboveZero});
  return {
      .name = "feddyn",
      .summary = "FedAvg with a dynamic regulariser, so that the common optimum is also each agent's optimum",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FedDynServer>(feddyn_options, extras),
      .make_agent = makes<FedDynAgent>(feddyn_options, extras),
  };
}

}  // namespace fedstein
