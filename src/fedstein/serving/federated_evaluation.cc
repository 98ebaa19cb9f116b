// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federated_evaluation.h"

#include <algorithm>

namespace fedstein {
namespace {

// Rounds whose sums are in memory. An agent reports a round before it sends its next update, so that only one that was
// left behind comes later.
constexpr Index kRoundsKept = 256;

}  // namespace

std::map<std::string, double> EvaluatedRound::figures() const {
  std::map<std::string, double> out = figures_of(sums);
  out["agents"] = static_cast<double>(agents.size());
  return out;
}

Index FederatedEvaluation::oldest(Index closed_round) {
  return std::max<Index>(1, closed_round - kRoundsKept + 1);
}

std::string FederatedEvaluation::take(Index agent, const EvaluationReport& report, Index closed_round) {
  const std::string what = "an evaluation of round " + std::to_string(report.round);
  if (report.round < 1 || report.round > closed_round) {
    return what + "; the last round that is over is " + std::to_string(closed_round);
  }
  if (report.round < oldest(closed_round)) {
    return what + "; it comes too late: the oldest round that is still taken is " +
           std::to_string(oldest(closed_round));
  }
  if (const std::string why = objection_to(report.sums, shape_); !why.empty()) return what + " " + why;
  rounds_.erase(rounds_.begin(), rounds_.lower_bound(oldest(closed_round)));
  EvaluatedRound& there = rounds_[report.round];
  there.round = report.round;
  if (!there.agents.insert(agent).second) return {};
  if (there.agents.size() == 1) {
    there.sums = report.sums;
  } else {
    there.sums += report.sums;
  }
  Index& last = last_[agent];
  last = std::max(last, report.round);
  return {};
}

const EvaluatedRound* FederatedEvaluation::of(Index round) const {
  const auto found = rounds_.find(round);
  return found == rounds_.end() ? nullptr : &found->second;
}

const EvaluatedRound* FederatedEvaluation::latest() const {
  std::map<Index, Index> counts;
  for (const auto& [agent, round] : last_) {
    if (rounds_.contains(round)) ++counts[round];
  }
  // While the last reports of a round are on their way, two agents are one apart: the round of both of them is meant.
  const auto is_whole_before = [&](Index older, Index newer) {
    return newer == older + 1 && of(older)->agents.size() > of(newer)->agents.size();
  };
  auto most = counts.end();
  for (auto one = counts.begin(); one != counts.end(); ++one) {
    const bool is_more = most == counts.end() || one->second > most->second;
    if (is_more || (one->second == most->second && !is_whole_before(most->first, one->first))) most = one;
  }
  return most == counts.end() ? nullptr : of(most->first);
}

Index FederatedEvaluation::last_of(Index agent) const {
  const auto found = last_.find(agent);
  return found == last_.end() ? 0 : found->second;
}

}  // namespace fedstein
