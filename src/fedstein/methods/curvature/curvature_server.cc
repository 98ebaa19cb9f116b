// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/curvature/curvature_server.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kServer = "curvature server";

Belief start_of(const ServerContext& context, const CurvatureOptions& options) {
  Particles z = initial_particles(*context.model, options, context.seed);
  const Matrix zero = Matrix::Zero(z.rows(), z.cols());
  return {std::move(z), zero, zero, Matrix::Zero(1, zero.cols())};
}

}  // namespace

CurvatureServer::CurvatureServer(const ServerContext& context, const CurvatureOptions& options, double damping)
    : model_(context.model),
      rows_(context.rows),
      parallel_(options.parallel),
      damping_(damping),
      belief_(start_of(context, options)) {}

double CurvatureServer::share_of(Index agent, const std::vector<Index>& agents) const {
  if (damping_ > 0) return damping_;
  const auto rows = [&](Index k) { return static_cast<double>(rows_.at(static_cast<std::size_t>(k))); };
  double total = 0;
  for (const Index k : agents) total += rows(k);
  return total > 0 ? rows(agent) / total : 1 / static_cast<double>(agents.size());
}

std::vector<Task> CurvatureServer::plan(Index round, const std::vector<Index>& agents) const {
  check_argument(parallel_ || agents.size() == 1, "plan", [&] {
    return std::to_string(agents.size()) +
           " agents are scheduled for one round; a sequential method takes 1 (p-dsvgd is the parallel one)";
  });
  return belief_.plan(round, agents);
}

std::vector<Verdict> CurvatureServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  std::vector<Index> agents;
  for (const Update& update : updates) agents.push_back(update.agent);
  std::vector<DoubleMatrix> next;
  for (const Matrix& part : belief_.parts()) next.push_back(part.cast<double>());
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    const double rho = share_of(update.agent, agents);
    for (const auto part : {kBeliefParticles, kBeliefPath}) {
      next[part] += rho * (update.belief[part].cast<double>() - belief_[part].cast<double>());
    }
    for (const auto part : {kBeliefIntercept, kBeliefSlope}) next[part] += update.belief[part].cast<double>();
    verdicts.push_back({.round = round, .agent = update.agent, .folded = true, .weight = rho});
  }
  take(next);
  return verdicts;
}

// Particles and path count by rows, or all the same where a damping takes the rows' place; what changed in a line
// counts entirely.
std::vector<double> CurvatureServer::weights(Index agent) const {
  const double share = damping_ > 0 ? 1 : static_cast<double>(rows_.at(static_cast<std::size_t>(agent)));
  return {share, share, 1, 1};
}

std::vector<Verdict> CurvatureServer::fold_sum(Index round,
                                               const std::vector<DoubleMatrix>& sum,
                                               const std::vector<Index>& agents) {
  check_sum(sum, agents, belief_.parts());
  double total = 0;
  for (const Index agent : agents) total += weights(agent).front();
  if (!(total > 0)) throw Divergence("fold_sum: none of the round's agents has rows, so their sum carries no weight");
  std::vector<DoubleMatrix> next;
  for (const Matrix& part : belief_.parts()) next.push_back(part.cast<double>());
  for (const auto part : {kBeliefParticles, kBeliefPath}) {
    const DoubleMatrix move = sum[part] / total - next[part];
    next[part] += damping_ > 0 ? DoubleMatrix(damping_ * total * move) : move;
  }
  for (const auto part : {kBeliefIntercept, kBeliefSlope}) next[part] += sum[part];
  std::vector<Verdict> verdicts;
  for (const Index agent : agents) {
    verdicts.push_back({.round = round, .agent = agent, .folded = true, .weight = share_of(agent, agents)});
  }
  take(next);
  return verdicts;
}

void CurvatureServer::take(const std::vector<DoubleMatrix>& next) {
  Belief folded;
  for (const DoubleMatrix& part : next) folded.emplace_back(part.cast<Real>());
  for (const Matrix& part : folded) {
    if (first_non_finite(part).row >= 0) throw Divergence("curvature factors: what was folded is not finite");
  }
  if (const auto constrain = constraint_of(*model_)) constrain(folded[kBeliefParticles]);
  belief_.replace(std::move(folded));
}

std::string CurvatureServer::save() const {
  return belief_.save(kServer);
}

void CurvatureServer::restore(const std::string& bytes) {
  belief_.restore(bytes, kServer);
}

}  // namespace fedstein
