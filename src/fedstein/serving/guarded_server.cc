// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/guarded_server.h"

#include <algorithm>

#include "fedstein/exchange/upload_check.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

double size_of(const Update& update) {
  const std::vector<double> sizes = sizes_of(update.belief);
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

}  // namespace

std::string objection_to_particles(const Model& model, const Particles& particles) {
  if (const Position at = first_non_finite(particles); at.row >= 0) {
    return "particle " + std::to_string(at.row) + " is not finite in coordinate " + std::to_string(at.column);
  }
  // Minus infinity is an answer: outside the prior's support.
  const DoubleVector densities = model.prior_log_density(particles);
  for (Index n = 0; n < densities.size(); ++n) {
    if (!std::isnan(densities(n))) continue;
    return "the prior's log density at particle " + std::to_string(n) + " is " + to_text(densities(n));
  }
  // Scores are computed in Real, where squares overflow long before double does.
  Matrix scores = Matrix::Zero(particles.rows(), particles.cols());
  model.add_prior_score(particles, 1, scores);
  const auto squared = particles.cwiseAbs2().rowwise().sum();
  for (Index n = 0; n < particles.rows(); ++n) {
    if (std::isfinite(squared(n)) && scores.row(n).allFinite()) continue;
    return "particle " + std::to_string(n) + " is so large that the prior's score overflows";
  }
  return {};
}

std::vector<Verdict> GuardedServer::fold(Index round, const std::vector<Update>& updates) {
  const std::string before = inner_->save();
  std::vector<Update> taken = updates;
  std::vector<Verdict> dropped;
  std::string reason;
  while (!taken.empty()) {
    try {
      std::vector<Verdict> verdicts = inner_->fold(round, taken);
      reason = objection_to_particles(model_, inner_->particles());
      if (reason.empty()) {
        verdicts.insert(verdicts.end(), dropped.begin(), dropped.end());
        return verdicts;
      }
    } catch (const Divergence& error) {
      reason = error.what();
    }
    inner_->restore(before);
    const auto largest = std::max_element(
        taken.begin(), taken.end(), [](const Update& a, const Update& b) { return size_of(a) < size_of(b); });
    dropped.push_back({largest->round, largest->agent, /*folded=*/false, /*weight=*/0});
    taken.erase(largest);
  }
  throw Divergence("the belief after round " + std::to_string(round) + " would be of no use: " + reason);
}

}  // namespace fedstein
