// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/scaffold.h"

#include "fedstein/federated/state.h"
#include "fedstein/methods/particles/constant_score.h"
#include "fedstein/methods/points/tuned_point.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kAgent = "scaffold agent";
constexpr double kLocalRate = 0.1;

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
    : context_(context),
      options_(options),
      descent_(*context.model, options),
      variate_(Matrix::Zero(1, context.model->dimension())) {}

Update ScaffoldAgent::update(const Task& task) {
  const LocalLoss loss(context_, options_, task.round);
  const Matrix correction = task.belief.at(1) - variate_;  // c - c_k
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
  pending_.wait(task.round, {variate_ + change});
  return {task.round, task.agent, {std::move(y), std::move(change)}};
}

void ScaffoldAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (pending_.settle(verdict)) variate_ += sent_part(as_sent, 1, variate_);  // the server adds the same change to c
}

std::string ScaffoldAgent::save() const {
  StateWriter writer(kAgent);
  writer.matrix(variate_);
  pending_.write(writer);
  return std::move(writer).finish();
}

void ScaffoldAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, kAgent);
  Matrix variate = reader.matrix();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  const auto refuse_unlike = [&](const std::vector<Matrix>& found) {
    const std::string objection = objection_to({0, 0, found}, {variate_});
    if (!objection.empty()) throw BadState("saved state: control variate: " + objection);
  };
  refuse_unlike({variate});
  if (!pending.values().empty()) refuse_unlike(pending.values());
  variate_ = std::move(variate);
  pending_ = std::move(pending);
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
  std::vector<Setting> settings = point_settings();
  for (Setting& setting : settings) {
    if (setting.key == "step_rule") setting.standard = std::string("plain");
    if (setting.key == "learning_rate") setting.standard = kLocalRate;
  }
  const ScaffoldSetup standard;
  settings.push_back({.key = "weighting",
                      .standard = standard.weighting,
                      .help = "agents count by their rows, or all the same as in the method's paper",
                      .choices = {"rows", "uniform"}});
  settings.push_back(
      {.key = "server_rate", .standard = standard.server_rate, .help = "the server's step eta_g", .least = kAboveZero});
  Algorithm made{
      .name = "scaffold",
      .summary = "FedAvg with control variates against the drift of agents with skewed data",
      .parallel = true,
      .settings = std::move(settings),
  };
  const auto recipe = [](const Settings&) { return PointRecipe{.variates = true}; };
  make_tunable<ScaffoldServer, ScaffoldAgent>(made, scaffold_options, recipe, extras);
  return made;
}

}  // namespace fedstein
