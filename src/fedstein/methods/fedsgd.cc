// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedsgd.h"

#include <algorithm>
#include <numeric>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

Update FedSgdAgent::update(const Task& task) {
  const Matrix& w = task.belief.front();
  Matrix score = Matrix::Zero(w.rows(), w.cols());
  const auto rows = static_cast<double>(std::max<Index>(1, context_.data.rows()));
  context_.model->add_likelihood_score(w, context_.data, 1 / rows, score);
  return {task.round, task.agent, {score}};
}

FedSgdServer::FedSgdServer(const ServerContext& context, const PointOptions& options)
    : PointServer("fedsgd server", context, {initial_point(*context.model, options, context.seed)}),
      model_(context.model),
      descent_(*context.model, options) {
  const Index total = std::accumulate(context.rows.begin(), context.rows.end(), Index{0});
  prior_ = options.prior ? options.temperature / static_cast<double>(std::max<Index>(1, total)) : 0;
}

std::vector<Verdict> FedSgdServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = shares(updates);
  return take(weighted_sum(updates, weights).cast<Real>(), accept(round, updates, weights));
}

std::vector<Verdict> FedSgdServer::fold_sum(Index round,
                                            const std::vector<DoubleMatrix>& sum,
                                            const std::vector<Index>& agents) {
  check_sum(sum, agents, belief());
  const double all = weight_of(agents);
  return take((sum.front() / all).cast<Real>(), accept(round, agents, shares_of(agents, all)));
}

std::vector<Verdict> FedSgdServer::take(Matrix direction, std::vector<Verdict> verdicts) {
  Matrix next = belief().front();
  if (prior_ > 0) model_->add_prior_score(next, prior_, direction);

  const auto state = descent_.step_rule().start(next.rows(), next.cols());
  if (!memory_.empty()) state->recall(memory_);
  state->step(direction, next);
  if (const auto constrain = constraint_of(*model_)) constrain(next);
  next = checked_point(next.cast<double>(), "fedsgd");

  memory_ = state->memory();
  replace({std::move(next)});
  return verdicts;
}

void FedSgdServer::recall(std::vector<Matrix> memory) {
  if (!memory.empty()) {
    try {
      descent_.step_rule().start(1, model_->dimension())->recall(memory);
    } catch (const InvalidArgument& error) {
      throw BadState(std::string("saved state: ") + error.what());
    }
  }
  memory_ = std::move(memory);
}

Algorithm fedsgd_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings;
  for (const Setting& setting : point_settings()) {
    if (setting.key != "local_steps" && setting.key != "batch") settings.push_back(setting);
  }
  return {
      .name = "fedsgd",
      .summary = "federated SGD: one full gradient per agent and round, one step at the server",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FedSgdServer>(point_options, extras),
      .make_agent = [](const AgentContext& context,
                       const Settings& /*given*/) { return std::make_unique<FedSgdAgent>(context); },
  };
}

}  // namespace fedstein
