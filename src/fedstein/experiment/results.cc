// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/advice.h"

namespace fedstein {
namespace {

const StoredRun& chosen(const std::vector<StoredRun>& runs, std::optional<RunId> wanted) {
  if (runs.empty()) throw StoreError("the store holds no run");
  if (!wanted) return runs.back();
  std::string known;
  for (const StoredRun& run : runs) {
    if (run.id == *wanted) return run;
    known += (known.empty() ? "" : ", ") + std::to_string(run.id);
  }
  throw StoreError("the store holds no run " + std::to_string(*wanted) + "; there are " + known);
}

MethodResult read_method(const RunStore& store,
                         const std::vector<StoredJob>& jobs,
                         const CasePlan& case_plan,
                         const AlgorithmPlan& algorithm) {
  MethodResult method{.label = algorithm.label,
                      .method = algorithm.method->name,
                      .centralised = algorithm.method->centralised,
                      .alone = algorithm.alone.has_value(),
                      .rounds = algorithm.rounds,
                      .judged_by = judge_options(case_plan, algorithm),
                      .trials = {}};
  for (const StoredJob& job : jobs) {
    if (job.facts.case_name != case_plan.name || job.facts.algorithm != algorithm.label) continue;
    method.trials.push_back({job.id, job.facts.trial, job.status, job.error, store.rounds(job.id)});
  }
  return method;
}

RunResult with_rounds(const RunStore& store, const StoredRun& run, Plan plan) {
  RunResult result{.run = run, .plan = std::move(plan)};
  const std::vector<StoredJob> jobs = store.jobs(run.id);
  for (const CasePlan& case_plan : result.plan.cases) {
    CaseResult out{.name = case_plan.name, .coordinates = case_plan.coordinates, .methods = {}};
    for (const AlgorithmPlan& algorithm : case_plan.algorithms) {
      out.methods.push_back(read_method(store, jobs, case_plan, algorithm));
    }
    result.cases.push_back(std::move(out));
  }
  return result;
}

bool is_lost(const RoundRecord& record) {
  return record.folded.empty();
}

// Not with NaN.
bool is_at(const std::string& figure, double mean, double target) {
  return less_is_better(figure) ? mean <= target : mean >= target;
}

bool has_failed(const TrialResult& trial) {
  const bool took_nothing_in = !trial.rounds.empty() && std::all_of(trial.rounds.begin(), trial.rounds.end(), is_lost);
  return trial.status == JobStatus::kFailed || took_nothing_in;
}

}  // namespace

const MethodResult* CaseResult::method(const std::string& label) const {
  for (const MethodResult& candidate : methods) {
    if (candidate.label == label) return &candidate;
  }
  return nullptr;
}

std::string CaseResult::coordinate(const std::string& wanted) const {
  for (const auto& [key, value] : coordinates) {
    if (key == wanted) return value;
  }
  return {};
}

RunResult load_results(const RunStore& store, std::optional<RunId> run, const Registry& registry) {
  const std::vector<StoredRun> runs = store.runs();
  const StoredRun& stored = chosen(runs, run);
  // A document without a preset is older than presets: the paper's settings were all defaults then.
  const ParseOptions how{.check_data = false, .refuse_idle_keys = false, .preset = "paper", .registry = &registry};
  return with_rounds(store, stored, parse_plan(stored.facts.document, "stored configuration", how));
}

RunResult load_results(const RunStore& store, RunId run, Plan plan) {
  const std::vector<StoredRun> runs = store.runs();
  return with_rounds(store, chosen(runs, run), std::move(plan));
}

std::vector<LostRounds> lost_rounds(const RunResult& result) {
  std::vector<LostRounds> out;
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      LostRounds one{.case_name = case_result.name, .label = method.label};
      for (const TrialResult& trial : method.trials) {
        for (const RoundRecord& record : trial.rounds) {
          ++one.rounds;
          if (!is_lost(record)) continue;
          ++one.lost;
          if (!record.failures.empty()) one.reason = record.failures.front().reason;
        }
      }
      if (one.lost > 0) out.push_back(std::move(one));
    }
  }
  return out;
}

bool has_failed_jobs(const RunResult& result) {
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      if (std::any_of(method.trials.begin(), method.trials.end(), has_failed)) return true;
    }
  }
  return false;
}

Estimate estimate_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(), 0};
  double mean = 0;
  for (const double value : values) mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double error = values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
  return {mean, error, static_cast<Index>(values.size())};
}

std::vector<double> values_at(const MethodResult& method, const std::string& figure, Index round) {
  std::vector<double> values;
  for (const TrialResult& trial : method.trials) {
    for (auto record = trial.rounds.rbegin(); record != trial.rounds.rend(); ++record) {
      if (round != 0 && record->round != round) continue;
      const auto found = record->figures.find(figure);
      if (found == record->figures.end()) continue;
      values.push_back(found->second);
      break;
    }
  }
  return values;
}

Estimate at_round(const MethodResult& method, const std::string& figure, Index round) {
  return estimate_of(values_at(method, figure, round));
}

std::map<Index, double> mean_curve(const MethodResult& method, const std::string& figure) {
  std::map<Index, std::pair<double, std::size_t>> sums;
  for (const TrialResult& trial : method.trials) {
    for (const RoundRecord& record : trial.rounds) {
      const auto found = record.figures.find(figure);
      if (found == record.figures.end()) continue;
      sums[record.round].first += found->second;
      ++sums[record.round].second;
    }
  }
  std::size_t most = 0;
  for (const auto& [round, sum] : sums) most = std::max(most, sum.second);
  std::map<Index, double> curve;
  for (const auto& [round, sum] : sums) {
    if (sum.second == most) curve[round] = sum.first / static_cast<double>(most);
  }
  return curve;
}

std::optional<Index> rounds_to_hold(const MethodResult& method, const std::string& figure, double target) {
  std::optional<Index> since;
  for (const auto& [round, mean] : mean_curve(method, figure)) {
    if (!is_at(figure, mean, target)) {
      since.reset();
    } else if (!since) {
      since = round;
    }
  }
  return since;
}

std::optional<Index> rounds_to_reach(const MethodResult& method, const std::string& figure, double target) {
  for (const auto& [round, mean] : mean_curve(method, figure)) {
    if (is_at(figure, mean, target)) return round;
  }
  return std::nullopt;
}

double bytes_until(const MethodResult& method, Index round) {
  if (method.centralised || method.trials.empty()) return 0;
  double bytes = 0;
  for (const TrialResult& trial : method.trials) {
    for (const RoundRecord& record : trial.rounds) {
      if (record.round <= round) bytes += static_cast<double>(record.bytes_down + record.bytes_up);
    }
  }
  return bytes / static_cast<double>(method.trials.size());
}

bool less_is_better(const std::string& figure) {
  static const std::set<std::string> lower = {
      "rmse", "ece", "mce", "brier", "kl", "kl_reverse", "free_energy", "ksd", "validation_rmse", "validation_ece"};
  return lower.contains(figure) || figure.rfind("kl@", 0) == 0;
}

}  // namespace fedstein
