// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedpa.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kFedPaRate = 0.1;

FedPaSetup fedpa_options(const Settings& settings) {
  FedPaSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.samples = settings.integer("samples");
  options.shrinkage = settings.number("shrinkage");
  options.burn_in_rounds = settings.integer("burn_in_rounds");
  options.server_rate = settings.number("server_rate");
  return options;
}

double dot(const DoubleMatrix& a, const DoubleMatrix& b) {
  return a.cwiseProduct(b).sum();
}

}  // namespace

// With A_1 = I and A_t = A_(t-1) + g_t u_t u_t',  u_t = x_t - mean_(t-1),  g_t = rho (t-1)/t,  Sherman and Morrison
// give
//
//   A_t^-1 = I - sum over s = 2 .. t of h_s v_s v_s',   v_s = A_(s-1)^-1 u_s,   h_s = g_s / (1 + g_s u_s' v_s).
DoubleMatrix posterior_delta(const DoubleMatrix& w, const std::vector<DoubleMatrix>& samples, double rho) {
  check_argument(!samples.empty(), "posterior_delta", "no samples; at least 1 is needed");
  std::vector<DoubleMatrix> v;
  std::vector<double> h;
  const auto inverse_times = [&](DoubleMatrix x) {
    const DoubleMatrix right = x;
    for (std::size_t s = 0; s < v.size(); ++s) x -= h[s] * dot(v[s], right) * v[s];
    return x;
  };
  DoubleMatrix mean = samples.front();
  for (std::size_t t = 2; t <= samples.size(); ++t) {
    const auto count = static_cast<double>(t);
    const DoubleMatrix u = samples[t - 1] - mean;
    const double g = rho * (count - 1) / count;
    DoubleMatrix next = inverse_times(u);
    h.push_back(g / (1 + g * dot(u, next)));
    v.push_back(std::move(next));
    mean += u / count;
  }
  return (1 + static_cast<double>(samples.size() - 1) * rho) * inverse_times(w - mean);
}

// ---- at the agent

FedPaAgent::FedPaAgent(const AgentContext& context, const FedPaSetup& options)
    : context_(context), options_(options), descent_(*context.model, options) {}

Update FedPaAgent::update(const Task& task) {
  const LocalLoss loss(context_, options_, task.round);
  const Matrix start = starting_point(context_, task);
  Matrix w = start;
  const Index length = options_.local_steps / (options_.samples + 1);  // of a part; what is left over is burn-in
  const Index burn_in = options_.local_steps - options_.samples * length;
  if (task.version < options_.burn_in_rounds || length == 0) {
    descent_(w, loss.terms(), options_.local_steps);
    return {task.round, task.agent, {w}};
  }

  const auto state = descent_.step_rule().start(w.rows(), w.cols());
  SvgdOptions how = descent_.options(burn_in);
  how.state = state.get();
  descent_.run(w, loss.terms(), how);
  std::vector<DoubleMatrix> samples;
  for (Index s = 0; s < options_.samples; ++s) {
    how.first_step += how.steps;
    how.steps = length;
    DoubleMatrix sum = DoubleMatrix::Zero(w.rows(), w.cols());
    how.observe = [&](const SvgdOptions::Trace& trace) { sum += trace.particles.cast<double>(); };  // before each step
    descent_.run(w, loss.terms(), how);
    samples.emplace_back(sum / static_cast<double>(length));
  }
  const DoubleMatrix from = start.cast<double>();
  const DoubleMatrix answer = from - posterior_delta(from, samples, options_.shrinkage);
  return {task.round, task.agent, {checked_point(answer, "fedpa")}};
}

// ---- at the server

FedPaServer::FedPaServer(const ServerContext& context, const FedPaSetup& options)
    : PointServer("fedpa server", context, {initial_point(*context.model, options, context.seed)}),
      rate_(options.server_rate),
      constrain_(constraint_of(*context.model)) {}

std::vector<Verdict> FedPaServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = shares(updates);
  DoubleMatrix w = rate_ * weighted_sum(updates, weights);
  if (rate_ != 1) w += (1 - rate_) * belief().front().cast<double>();
  std::vector<Verdict> verdicts = accept(round, updates, weights);
  Particles point = checked_point(w, "fedpa");
  if (constrain_) constrain_(point);
  replace({std::move(point)});
  return verdicts;
}

Algorithm fedpa_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = point_settings();
  setting_named("step_rule", settings).standard = std::string("plain");
  setting_named("learning_rate", settings).standard = kFedPaRate;
  const FedPaSetup standard;
  settings.push_back({.key = "samples",
                      .standard = standard.samples,
                      .help = "posterior samples of an agent in a round, l; with fewer than l + 1 steps it does FedAvg",
                      .least = 1});
  settings.push_back({.key = "shrinkage",
                      .standard = standard.shrinkage,
                      .help = "rho: weight of the samples' covariance relative to the identity; 0: none",
                      .least = 0});
  settings.push_back({.key = "burn_in_rounds",
                      .standard = standard.burn_in_rounds,
                      .help = "number of first rounds in which agents do FedAvg",
                      .least = 0});
  settings.push_back(
      {.key = "server_rate", .standard = standard.server_rate, .help = "step size of the server", .least = kAboveZero});
  return {
      .name = "fedpa",
      .summary =
          "federated posterior averaging: FedAvg whose agents precondition their moves by their posterior covariance",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FedPaServer>(fedpa_options, extras),
      .make_agent = makes<FedPaAgent>(fedpa_options, extras),
  };
}

}  // namespace fedstein
