// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fednova.h"

#include <algorithm>

namespace fedstein {
namespace {

FedNovaSetup fednova_options(const Settings& settings) {
  FedNovaSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.weighting = settings.text("weighting");
  options.local_epochs = settings.integer("local_epochs");
  return options;
}

}  // namespace

Index local_steps_of(Index rows, const FedNovaSetup& options) {
  if (options.local_epochs == 0) return options.local_steps;
  if (rows == 0) return 0;
  const Index batch = std::min(options.batch, rows);
  return (options.local_epochs * rows + batch - 1) / batch;
}

// ---- at the agent

FedNovaAgent::FedNovaAgent(const AgentContext& context, const FedNovaSetup& options)
    : context_(context), options_(options), descent_(*context.model, options) {}

Update FedNovaAgent::update(const Task& task) {
  const LocalLoss loss(context_, options_, task.round);
  Matrix y = starting_point(context_, task);
  descent_(y, loss.terms(), local_steps_of(context_.data.rows(), options_));
  return {task.round, task.agent, {std::move(y)}};
}

// ---- at the server

FedNovaServer::FedNovaServer(const ServerContext& context, const FedNovaSetup& options)
    : MeanServer("fednova server",
                 context,
                 {initial_point(*context.model, options, context.seed)},
                 {.uniform = options.weighting == "uniform"}) {
  // Who takes no step moves nowhere, whatever that is divided by.
  for (const Index rows : context.rows) {
    taus_.push_back(static_cast<double>(std::max<Index>(1, local_steps_of(rows, options))));
  }
}

double FedNovaServer::count_of(Index agent) const {
  return MeanServer::count_of(agent) / tau_of(agent);
}

void FedNovaServer::take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) {
  double all = 0, steps = 0, counts = 0;
  for (const Index agent : agents) {
    const double p = MeanServer::count_of(agent);
    all += p;
    steps += p * tau_of(agent);
    counts += p / tau_of(agent);
  }
  // tau_S sum_k p_k/tau_k. Without anybody's rows all take as many steps, and it is 1.
  const double scale = all > 0 ? steps / all * (counts / all) : 1;
  const DoubleMatrix x = belief().front().cast<double>();
  replace({allowed_point(x + scale * (mean.front() - x), "fednova")});
}

// ---- the method

Algorithm fednova_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = plain_point_settings();
  settings.push_back(weighting_setting());
  settings.push_back({.key = "local_epochs",
                      .standard = FedNovaSetup{}.local_epochs,
                      .help = "passes over the agent's rows in a round; 0: all agents take local_steps steps",
                      .least = 0,
                      .most = 1e6});
  return {
      .name = "fednova",
      .summary = "FedAvg for agents that take different numbers of steps: their moves are normalised by them",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FedNovaServer>(fednova_options, extras),
      .make_agent = makes<FedNovaAgent>(fednova_options, extras),
  };
}

}  // namespace fedstein
