// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/verdicts.h"

#include <algorithm>

namespace fedstein {
namespace {

using VerdictKind = RunVerdict::Kind;

RunVerdict verdict_of_trial(const MethodResult& method, const TrialResult& trial) {
  if (trial.status == JobStatus::kFailed) {
    return {.kind = VerdictKind::kNotJudged, .sentence = "not judged: it failed: " + trial.error};
  }
  return judge_run(trial.rounds, method.judged_by);
}

// All of one kind, whose sentences would say the same over and over again.
std::string plain_line(const std::vector<std::pair<std::string, MethodVerdict>>& methods, VerdictKind kind) {
  std::string names;
  for (const auto& [label, verdict] : methods) {
    if (verdict.worst.kind == kind) names += (names.empty() ? "" : ", ") + label;
  }
  return names.empty() ? "" : std::string(name_of(kind)) + ": " + names + "\n";
}

}  // namespace

std::string MethodVerdict::text() const {
  if (trials < 2) return worst.sentence;
  const std::string of_all = std::to_string(alike) + " of " + std::to_string(trials) + " trials";
  return worst.sentence + " (" + of_all + (alike == trials ? ")" : "; this is trial " + std::to_string(trial) + ")");
}

MethodVerdict verdict_of(const MethodResult& method) {
  MethodVerdict out{.worst = {.kind = VerdictKind::kNotJudged, .sentence = "not judged: it has no trial"}};
  for (const TrialResult& trial : method.trials) {
    RunVerdict verdict = verdict_of_trial(method, trial);
    if (++out.trials == 1 || verdict.kind > out.worst.kind) {
      out.worst = std::move(verdict);
      out.trial = trial.trial;
      out.alike = 1;
    } else if (verdict.kind == out.worst.kind) {
      ++out.alike;
    }
  }
  return out;
}

std::string verdicts_text(const std::vector<std::pair<std::string, MethodVerdict>>& methods) {
  if (methods.empty()) return {};
  if (methods.size() == 1) return methods.front().first + ": " + methods.front().second.text() + "\n";
  std::string out;
  for (const auto& [label, verdict] : methods) {
    if (verdict.worst.kind > VerdictKind::kNotJudged) out += label + ": " + verdict.text() + "\n";
  }
  const auto is_converged = [](const auto& one) { return one.second.worst.kind == VerdictKind::kConverged; };
  if (std::all_of(methods.begin(), methods.end(), is_converged)) return "all methods converged\n";
  // Where nothing at all could be judged, why.
  const auto is_open = [](const auto& one) { return one.second.worst.kind == VerdictKind::kNotJudged; };
  if (std::all_of(methods.begin(), methods.end(), is_open)) return methods.front().second.text() + "\n";
  return out + plain_line(methods, VerdictKind::kConverged) + plain_line(methods, VerdictKind::kNotJudged);
}

}  // namespace fedstein
