// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/guarded_server.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Verdicts of a fold, and those on what was left out of it.
std::vector<Verdict> with_dropped(std::vector<Verdict> verdicts,
                                  const std::vector<Update>& all,
                                  const std::vector<Update>& taken) {
  for (const Update& update : all) {
    const auto is_it = [&](const Update& one) { return one.agent == update.agent; };
    if (std::any_of(taken.begin(), taken.end(), is_it)) continue;
    verdicts.push_back({update.round, update.agent, /*folded=*/false, /*weight=*/0});
  }
  return verdicts;
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

std::optional<std::vector<Verdict>> GuardedServer::try_to_fold(Index round, const std::vector<Update>& updates) {
  const std::string before = inner_->save();
  try {
    std::vector<Verdict> verdicts = inner_->fold(round, updates);
    reason_ = objection_to_particles(model_, inner_->particles());
    if (reason_.empty()) reason_ = objection_to_particles(model_, inner_->working_particles());
    if (reason_.empty()) return verdicts;
  } catch (const Divergence& error) {
    reason_ = error.what();
  }
  inner_->restore(before);
  return std::nullopt;
}

// By size nobody can tell who it was: a small number in the wrong place does as much as a large one.
std::vector<Verdict> GuardedServer::fold(Index round, const std::vector<Update>& updates) {
  if (auto verdicts = try_to_fold(round, updates)) return *std::move(verdicts);
  const std::string why = reason_;
  const std::string before = inner_->save();
  std::vector<Update> sound;
  for (const Update& update : updates) {
    if (!try_to_fold(round, {update})) continue;
    sound.push_back(update);
    inner_->restore(before);
  }
  if (!sound.empty() && sound.size() < updates.size()) {
    if (auto verdicts = try_to_fold(round, sound)) return with_dropped(*std::move(verdicts), updates, sound);
  }
  for (std::size_t left_out = 0; sound.size() > 1 && left_out < sound.size(); ++left_out) {
    std::vector<Update> others = sound;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    if (auto verdicts = try_to_fold(round, others)) return with_dropped(*std::move(verdicts), updates, others);
  }
  throw Divergence("the belief after round " + std::to_string(round) + " would be of no use: " + why);
}

}  // namespace fedstein
