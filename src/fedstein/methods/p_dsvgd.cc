// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/p_dsvgd.h"

#include <algorithm>

#include "fedstein/methods/curvature/curvature_agent.h"
#include "fedstein/methods/curvature/curvature_server.h"
#include "fedstein/methods/particles/barycentre.h"
#include "fedstein/methods/particles/p_dsvgd_paper.h"
#include "fedstein/methods/particles/repulsion.h"
#include "fedstein/methods/particles/signed_sum.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/kde.h"

namespace fedstein {
namespace {

std::unique_ptr<Score> posterior(const Model& model, const Particles& particles, Index version, double bandwidth) {
  if (version == 0) return std::make_unique<PriorScore>(model);
  return std::make_unique<Kde>(particles, bandwidth);
}

std::unique_ptr<Score> factor_score(const ScoreField::Parts& parts) {
  if (parts.anchors.size() == 0) return std::make_unique<SignedSum>();
  return std::make_unique<ScoreField>(parts);
}

CurvatureOptions parallel_curvature(const Settings& settings) {
  check_argument(settings.text("fold") == "mean",
                 "p-dsvgd",
                 "fold = '" + settings.text("fold") + "' with factor = 'curvature'; allowed: mean");
  CurvatureOptions options = curvature_options(settings);
  read_repulsion(settings, options);
  options.parallel = true;
  return options;
}

}  // namespace

// ---- at the agent

PDsvgdAgent::PDsvgdAgent(const AgentContext& context, const PDsvgdSetup& options)
    : context_(context), options_(options), svgd_(*context.model, options) {
  check_repulsion(*context.model, options);
}

ScoreField::Parts PDsvgdAgent::settled_factor(const Task& task) const {
  // The upload that the verdict is about: settled before, or still waiting because the news of it was lost.
  const bool is_pending = pending_ && task.verdict && task.verdict->round == pending_->round.number;
  const LocalRound* upload = is_pending ? &pending_->round : accepted_ ? &*accepted_ : nullptr;
  const ScoreField::Parts& kept = is_pending ? pending_->factor : factor_;
  const bool folded =
      upload != nullptr && task.verdict && task.verdict->folded && task.verdict->round == upload->number;
  if (!folded) return factor_;
  const Particles& z = task.belief.front();
  const double rho = task.verdict->weight;
  const auto t_k = factor_score(kept);
  const Kde q_k(upload->after, options_.kde_bandwidth);
  const auto q_then = posterior(*context_.model, upload->before, upload->version, options_.kde_bandwidth);
  Matrix values(z.rows(), z.cols());
  evaluate_terms({{+1, *t_k}, {+rho, q_k}, {-rho, *q_then}}, z, 0, values);
  return ScoreField::fit(z, values, options_.distillation.ridge);
}

Update PDsvgdAgent::update(const Task& task) {
  const auto q = posterior(*context_.model, task.belief.front(), task.version, options_.kde_bandwidth);
  ScoreField::Parts factor = settled_factor(task);
  const auto t_k = factor_score(factor);
  const auto loglik_k = likelihood_of(context_, options_, task.round);

  Particles next = starting_point(context_, task);
  const auto repulsion = repulsion_of(context_, options_, *loglik_k, task.round);
  Terms terms{{+1, *q}, {-1, *t_k}, {1 / options_.temperature, *loglik_k}};
  // The agent's share of it, a part of its factor as its likelihood is.
  if (repulsion)
    terms.emplace_back(options_.repulsion_strength * static_cast<double>(context_.data.rows()), *repulsion);
  svgd_(next, terms, task);

  pending_ = Pending{std::move(factor), {task.round, task.version, task.belief.front(), next}};
  return {task.round, task.agent, {next}};
}

void PDsvgdAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (!pending_ || pending_->round.number != verdict.round) return;
  Pending settled = *std::exchange(pending_, std::nullopt);
  if (!verdict.folded) return;
  settled.round.after = sent_part(as_sent, 0, settled.round.after);
  factor_ = std::move(settled.factor);
  accepted_ = std::move(settled.round);
}

// ---- at the server

PDsvgdServer::PDsvgdServer(const ServerContext& context, const PDsvgdSetup& options)
    : model_(context.model),
      options_(options),
      svgd_(*context.model, options),
      belief_({initial_particles(*context.model, options, context.seed)}) {}

std::vector<Task> PDsvgdServer::plan(Index round, const std::vector<Index>& agents) const {
  std::vector<Task> tasks = belief_.plan(round, agents);
  for (Task& task : tasks) {
    if (const auto found = verdicts_.find(task.agent); found != verdicts_.end()) task.verdict = found->second;
  }
  return tasks;
}

std::vector<Verdict> PDsvgdServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  const double rho = rho_of(updates.size());
  if (options_.fold == "paper") {
    std::map<Index, Particles> locals = locals_;
    for (const Update& update : updates) locals[update.agent] = update.belief.front();
    belief_.replace({paper_fold(locals)});
    locals_ = std::move(locals);
  } else if (options_.fold == "barycentre") {
    belief_.replace({barycentre_of(updates, rho)});
  } else {
    belief_.replace({options_.fold == "mean" ? mean_of(updates, rho) : svgd_of(updates, rho)});
  }
  std::vector<Index> agents;
  for (const Update& update : updates) agents.push_back(update.agent);
  return accept(round, agents, rho);
}

std::vector<Verdict> PDsvgdServer::fold_sum(Index round,
                                            const std::vector<DoubleMatrix>& sum,
                                            const std::vector<Index>& agents) {
  check_sum(sum, agents, belief_.parts());
  const double rho = rho_of(agents.size());
  const DoubleMatrix moves = sum.front() - static_cast<double>(agents.size()) * belief_.front().cast<double>();
  belief_.replace({moved(moves.cast<Real>(), rho)});
  return accept(round, agents, rho);
}

double PDsvgdServer::rho_of(std::size_t agents) const {
  const double evenly = 1 / static_cast<double>(agents);
  if (options_.damping == 0) return evenly;
  // Weights of a barycentre are shares: together no more than the whole, or factors would take in more than was folded.
  return options_.fold == "barycentre" ? std::min(options_.damping, evenly) : options_.damping;
}

std::vector<Verdict> PDsvgdServer::accept(Index round, const std::vector<Index>& agents, double rho) {
  std::vector<Verdict> verdicts;
  for (const Index agent : agents) {
    verdicts.push_back({.round = round, .agent = agent, .folded = true, .weight = rho});
    verdicts_[agent] = verdicts.back();
  }
  return verdicts;
}

Particles PDsvgdServer::mean_of(const std::vector<Update>& updates, double rho) const {
  const Particles& z = belief_.front();
  Matrix moves = Matrix::Zero(z.rows(), z.cols());
  for (const Update& update : updates) moves += update.belief.front() - z;
  return moved(moves, rho);
}

Particles PDsvgdServer::moved(const Matrix& moves, double rho) const {
  Particles next = belief_.front() + static_cast<Real>(rho) * moves;
  if (first_non_finite(next).row >= 0) throw Divergence("p-dsvgd: the mean of the agents' moves is not finite");
  if (const auto constrain = constraint_of(*model_)) constrain(next);
  return next;
}

Particles PDsvgdServer::svgd_of(const std::vector<Update>& updates, double rho) const {
  const auto q = posterior(*model_, belief_.front(), belief_.version(), options_.kde_bandwidth);
  SignedSum target;
  for (const Update& update : updates) {
    target.append(rho, std::make_unique<Kde>(update.belief.front(), options_.kde_bandwidth));
  }
  const double rest = 1 - rho * static_cast<double>(updates.size());
  Particles next = belief_.front();
  svgd_(next, {{rest, *q}, {+1, target}}, options_.server_steps);
  return next;
}

Particles PDsvgdServer::barycentre_of(const std::vector<Update>& updates, double rho) const {
  const double rest = std::max(0.0, 1 - rho * static_cast<double>(updates.size()));
  const double total = rest + rho * static_cast<double>(updates.size());
  std::vector<const Particles*> sets = {&belief_.front()};
  std::vector<double> weights = {rest / total};
  for (const Update& update : updates) {
    sets.push_back(&update.belief.front());
    weights.push_back(rho / total);
  }
  Particles next = barycentre(sets, weights, belief_.front());
  if (const auto constrain = constraint_of(*model_)) constrain(next);
  return next;
}

Particles PDsvgdServer::paper_fold(const std::map<Index, Particles>& locals) const {
  const PriorScore prior(*model_);
  SignedSum factors;
  for (const auto& [agent, local] : locals) {
    factors.append(+1, std::make_unique<Kde>(local, options_.kde_bandwidth));
    factors.append(-1, std::make_unique<PriorScore>(*model_));
  }
  Particles next = belief_.front();
  svgd_(next, {{+1, prior}, {+1, factors}}, options_.server_steps);
  return next;
}

Algorithm p_dsvgd_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = dsvgd_settings();
  const PDsvgdSetup standard;
  settings.push_back({.key = "fold",
                      .standard = standard.fold,
                      .help = "how the server combines the agents' particles",
                      .choices = {"mean", "svgd", "barycentre", "paper"}});
  settings.push_back(
      {.key = "damping",
       .standard = standard.damping,
       .help = "rho, the share of an agent's update that is applied; 0: one over the number of agents in the round",
       .least = 0,
       .most = 1});
  settings.push_back(
      {.key = "server_steps", .standard = standard.server_steps, .help = "SVGD steps of the server, L_s", .least = 0});
  for (Setting& setting : repulsion_settings()) settings.push_back(std::move(setting));
  return {
      .name = "p-dsvgd",
      .summary = "parallel DSVGD with damped updates",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = [extras](const ServerContext& context, const Settings& given) -> std::unique_ptr<ServerSide> {
        if (has_curvature_factors(given)) {
          return std::make_unique<CurvatureServer>(
              context, extras.in(parallel_curvature(given)), given.number("damping"));
        }
        return std::make_unique<PDsvgdServer>(context, extras.in(p_dsvgd_options(given)));
      },
      .make_agent = [extras](const AgentContext& context, const Settings& given) -> std::unique_ptr<AgentSide> {
        if (has_curvature_factors(given)) {
          return std::make_unique<CurvatureAgent>(context, extras.in(parallel_curvature(given)));
        }
        const PDsvgdSetup options = extras.in(p_dsvgd_options(given));
        if (options.fold == "paper") return std::make_unique<PDsvgdPaperAgent>(context, options);
        return std::make_unique<PDsvgdAgent>(context, options);
      },
  };
}

}  // namespace fedstein
