// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/scaffold_m.h"

#include "fedstein/methods/particles/constant_score.h"

namespace fedstein {
namespace {

ScaffoldMSetup scaffold_m_options(const Settings& settings) {
  ScaffoldMSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.weighting = settings.text("weighting");
  options.server_rate = settings.number("server_rate");
  options.beta = settings.number("beta");
  return options;
}

// x, c and g.
Belief scaffold_m_start(const ServerContext& context, const ScaffoldMSetup& options) {
  const Matrix zero = Matrix::Zero(1, context.model->dimension());
  return {initial_point(*context.model, options, context.seed), zero, zero};
}

}  // namespace

// ---- at the agent

ScaffoldMAgent::ScaffoldMAgent(const AgentContext& context, const ScaffoldMSetup& options)
    : KeepingAgent("scaffold-m agent", context.model->dimension()),
      context_(context),
      options_(options),
      descent_(*context.model, options) {}

Update ScaffoldMAgent::update(const Task& task) {
  const double beta = options_.beta;
  const DoubleMatrix c = task.belief.at(1).cast<double>();
  const DoubleMatrix g = task.belief.at(2).cast<double>();
  const LocalLoss loss(context_, options_, task.round);
  const Matrix correction = (beta * (c - kept().cast<double>()) + (1 - beta) * g).cast<Real>();
  const ConstantScore corrected(correction);
  Terms terms = loss.terms();
  for (Term& term : terms) term.weight *= beta;
  terms.emplace_back(+1, corrected);

  Matrix y = starting_point(context_, task);
  DoubleMatrix sum = DoubleMatrix::Zero(y.rows(), y.cols());
  SvgdOptions how = descent_.options(options_.local_steps);
  how.observe = [&](const SvgdOptions::Trace& trace) { sum += trace.scores.cast<double>(); };
  descent_.run(y, terms, how);

  Matrix change = Matrix::Zero(y.rows(), y.cols());  // c_k+ - c_k
  if (options_.local_steps > 0) {
    const DoubleMatrix direction = sum / static_cast<double>(options_.local_steps);
    change = ((direction - (1 - beta) * g) / beta - c).cast<Real>();
  }
  wait(task.round, kept() + change);
  return {task.round, task.agent, {std::move(y), std::move(change)}};
}

// ---- at the server

ScaffoldMServer::ScaffoldMServer(const ServerContext& context, const ScaffoldMSetup& options)
    : MeanServer("scaffold-m server",
                 context,
                 scaffold_m_start(context, options),
                 {.uniform = options.weighting == "uniform", .answers = 2}),
      options_(options) {}

void ScaffoldMServer::take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) {
  const double beta = options_.beta;
  const DoubleMatrix x = belief()[0].cast<double>();
  const DoubleMatrix c = belief()[1].cast<double>();
  const DoubleMatrix g = belief()[2].cast<double>();
  const DoubleMatrix& change = mean[1];
  replace({allowed_point(x + options_.server_rate * (mean[0] - x), "scaffold-m"),
           checked_point(c + part_of_all(agents) * change, "scaffold-m"),
           checked_point(beta * (c + change) + (1 - beta) * g, "scaffold-m")});
}

// ---- the method

Algorithm scaffold_m_algorithm(const ParticleExtras& extras) {
  const ScaffoldMSetup standard;
  std::vector<Setting> settings = plain_point_settings();
  settings.push_back(weighting_setting());
  settings.push_back({.key = "server_rate",
                      .standard = standard.server_rate,
                      .help = "step size of the server, eta_g",
                      .least = kAboveZero});
  settings.push_back({.key = "beta",
                      .standard = standard.beta,
                      .help = "share of the agent's own gradient in a step, the rest is momentum; 1: SCAFFOLD",
                      .least = 1e-6,
                      .most = 1});
  return {
      .name = "scaffold-m",
      .summary = "SCAFFOLD with a momentum shared by all agents' steps",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<ScaffoldMServer>(scaffold_m_options, extras),
      .make_agent = makes<ScaffoldMAgent>(scaffold_m_options, extras),
  };
}

}  // namespace fedstein
