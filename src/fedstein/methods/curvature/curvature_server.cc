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

double CurvatureServer::share_of(Index agent, const std::vector<Update>& updates) const {
  if (damping_ > 0) return damping_;
  const auto rows = [&](Index k) { return static_cast<double>(rows_.at(static_cast<std::size_t>(k))); };
  double total = 0;
  for (const Update& update : updates) total += rows(update.agent);
  return total > 0 ? rows(agent) / total : 1 / static_cast<double>(updates.size());
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
  std::vector<DoubleMatrix> next;
  for (const Matrix& part : belief_.parts()) next.push_back(part.cast<double>());
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    const double rho = share_of(update.agent, updates);
    for (const auto part : {kBeliefParticles, kBeliefPath}) {
      next[part] += rho * (update.belief[part].cast<double>() - belief_[part].cast<double>());
    }
    for (const auto part : {kBeliefIntercept, kBeliefSlope}) next[part] += update.belief[part].cast<double>();
    verdicts.push_back({.round = round, .agent = update.agent, .folded = true, .weight = rho});
  }
  Belief folded;
  for (const DoubleMatrix& part : next) folded.emplace_back(part.cast<Real>());
  for (const Matrix& part : folded) {
    if (first_non_finite(part).row >= 0) throw Divergence("curvature factors: what was folded is not finite");
  }
  if (const auto constrain = constraint_of(*model_)) constrain(folded[kBeliefParticles]);
  belief_.replace(std::move(folded));
  return verdicts;
}

std::string CurvatureServer::save() const {
  return belief_.save(kServer);
}

void CurvatureServer::restore(const std::string& bytes) {
  belief_.restore(bytes, kServer);
}

}  // namespace fedstein
