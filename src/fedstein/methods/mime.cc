// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/mime.h"

#include <algorithm>

#include "fedstein/methods/particles/constant_score.h"

namespace fedstein {
namespace {

MimeSetup mime_options(const Settings& settings) {
  MimeSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.step_rule = "plain";
  options.weighting = settings.text("weighting");
  options.lite = settings.flag("lite");
  return options;
}

Belief mime_start(const ServerContext& context, const MimeSetup& options) {
  Belief start(options.lite ? 2 : 3, Matrix::Zero(1, context.model->dimension()));
  start.front() = initial_point(*context.model, options, context.seed);
  return start;
}

// Terms at one point, whatever point is asked for, with the rows of the step that is asked for. Borrows both.
class ScoreElsewhere : public Score {
 public:
  ScoreElsewhere(const Terms& terms, const Matrix& where) : terms_(&terms), where_(&where) {}
  void add(const ConstMatrixRef& /*theta*/, Index step, double weight, MatrixRef grad) const override {
    for (const Term& term : *terms_) term.score->add(*where_, step, weight * term.weight, grad);
  }

 private:
  const Terms* terms_;
  const Matrix* where_;
};

// Rounds come in pairs, counted by what the belief has taken in.
bool asks_for_scores(Index version) {
  return version % 2 == 0;
}

}  // namespace

// ---- at the agent

MimeAgent::MimeAgent(const AgentContext& context, const MimeSetup& options)
    : context_(context), options_(options), descent_(*context.model, options) {}

Update MimeAgent::update(const Task& task) {
  const Matrix& x = task.belief.front();
  if (!options_.lite && asks_for_scores(task.version)) return {task.round, task.agent, {score_at(x, task.round)}};

  const double beta = options_.momentum;
  const LocalLoss loss(context_, options_, task.round);
  const ScoreElsewhere at_x(loss.terms(), x);
  Matrix steady = static_cast<Real>(beta) * task.belief.at(1);
  if (!options_.lite) steady += static_cast<Real>(1 - beta) * task.belief.at(2);
  const ConstantScore shared(steady);
  Terms terms = loss.terms();
  for (Term& term : terms) term.weight *= 1 - beta;
  if (!options_.lite) terms.emplace_back(beta - 1, at_x);
  terms.emplace_back(+1, shared);

  Matrix y = starting_point(context_, task);
  descent_(y, terms, options_.local_steps);
  if (!options_.lite) return {task.round, task.agent, {std::move(y)}};
  return {task.round, task.agent, {std::move(y), score_at(x, task.round)}};
}

Matrix MimeAgent::score_at(const Matrix& x, Index round) const {
  PointOptions all_rows = options_;
  all_rows.batch = std::max<Index>(1, context_.data.rows());
  const LocalLoss loss(context_, all_rows, round);
  Matrix score(x.rows(), x.cols());
  evaluate_terms(loss.terms(), x, 0, score);
  return score;
}

// ---- at the server

MimeServer::MimeServer(const ServerContext& context, const MimeSetup& options)
    : MeanServer("mime server",
                 context,
                 mime_start(context, options),
                 {.uniform = options.weighting == "uniform", .answers = options.lite ? 2U : 1U}),
      options_(options) {}

void MimeServer::take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& /*agents*/) {
  if (options_.lite) {
    replace({allowed_point(mean[0], "mime"), momentum_after(mean[1])});
  } else if (asks_for_scores(version())) {
    replace({belief()[0], belief()[1], checked_point(mean[0], "mime")});
  } else {
    replace({allowed_point(mean[0], "mime"), momentum_after(belief()[2].cast<double>()), belief()[2]});
  }
}

Matrix MimeServer::momentum_after(const DoubleMatrix& c) const {
  const double beta = options_.momentum;
  return checked_point(beta * belief()[1].cast<double>() + (1 - beta) * c, "mime");
}

// ---- the method

Algorithm mime_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings;
  for (const Setting& setting : plain_point_settings()) {
    if (setting.key != "step_rule" && setting.key != "epsilon") settings.push_back(setting);
  }
  setting_named("learning_rate", settings).help = "step size of the local steps";
  setting_named("momentum", settings).help = "beta, the share of the server's momentum in a step";
  settings.push_back(weighting_setting());
  settings.push_back({.key = "lite",
                      .standard = MimeSetup{}.lite,
                      .help = "MimeLite: no correction of the steps, and one round for an update instead of two"});
  return {
      .name = "mime",
      .summary = "local steps that use the server's momentum and correct the agent's drift; two rounds for each update",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<MimeServer>(mime_options, extras),
      .make_agent = makes<MimeAgent>(mime_options, extras),
  };
}

}  // namespace fedstein
