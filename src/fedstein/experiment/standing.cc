// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/standing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fedstein {
namespace {

constexpr std::array<const char*, 4> kJudgedBy = {"log_likelihood", "accuracy", "rmse", "kl"};

// The last value of each trial that has one.
std::map<Index, double> finals_of(const MethodResult& method, const std::string& figure) {
  std::map<Index, double> out;
  for (const TrialResult& trial : method.trials) {
    for (auto record = trial.rounds.rbegin(); record != trial.rounds.rend(); ++record) {
      const auto found = record->figures.find(figure);
      if (found == record->figures.end()) continue;
      out[trial.trial] = found->second;
      break;
    }
  }
  return out;
}

bool is_sound(const MethodResult& method, const std::map<Index, double>& finals) {
  const bool failed = std::any_of(method.trials.begin(), method.trials.end(), [](const TrialResult& trial) {
    return trial.status == JobStatus::kFailed;
  });
  return !failed &&
         std::all_of(finals.begin(), finals.end(), [](const auto& one) { return std::isfinite(one.second); });
}

Estimate lead(const std::map<Index, double>& best, const std::map<Index, double>& second, bool less) {
  std::vector<double> differences;
  for (const auto& [trial, value] : best) {
    const auto other = second.find(trial);
    if (other != second.end()) differences.push_back(less ? other->second - value : value - other->second);
  }
  return estimate_of(differences);
}

}  // namespace

std::optional<Standing> standing_of(const CaseResult& case_result) {
  const auto* const figure = std::find_if(kJudgedBy.begin(), kJudgedBy.end(), [&](const char* name) {
    return std::any_of(case_result.methods.begin(), case_result.methods.end(), [&](const MethodResult& method) {
      return !finals_of(method, name).empty();
    });
  });
  if (figure == kJudgedBy.end()) return {};
  Standing out{.figure = *figure};
  const bool less = less_is_better(out.figure);
  for (const MethodResult& method : case_result.methods) {
    const std::map<Index, double> finals = finals_of(method, out.figure);
    if (finals.empty()) continue;
    if (!is_sound(method, finals)) {
      out.left_out.push_back(method.label);
      continue;
    }
    const bool competes = !method.centralised && !method.alone;
    (competes ? out.ranked : out.beside).push_back({method.label, at_round(method, out.figure)});
  }
  const auto better = [&](const StandingEntry& a, const StandingEntry& b) {
    return less ? a.value.mean < b.value.mean : a.value.mean > b.value.mean;
  };
  std::stable_sort(out.ranked.begin(), out.ranked.end(), better);
  std::stable_sort(out.beside.begin(), out.beside.end(), better);
  if (out.ranked.empty()) std::swap(out.ranked, out.beside);
  if (out.ranked.size() > 1) {
    const auto finals = [&](std::size_t place) {
      return finals_of(*case_result.method(out.ranked[place].label), out.figure);
    };
    const Estimate margin = lead(finals(0), finals(1), less);
    if (margin.trials > 0) out.margin = margin;
  }
  return out;
}

}  // namespace fedstein
