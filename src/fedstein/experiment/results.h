// SPDX-License-Identifier: Apache-2.0
// A run as read back from its store: curves by case, method and trial.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/config/plan.h"
#include "fedstein/evaluation/run_verdict.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

struct TrialResult {
  JobId job = 0;
  Index trial = 0;
  JobStatus status = JobStatus::kWaiting;
  std::string error = {};
  std::vector<RoundRecord> rounds = {};
};

struct MethodResult {
  std::string label = {};
  std::string method = {};  // its type
  bool centralised = false;
  bool alone = false;  // learns from one agent's rows only
  Index rounds = 0;    // that were planned
  JudgeOptions judged_by = {};
  std::vector<TrialResult> trials = {};
};

struct CaseResult {
  std::string name = {};
  std::vector<std::pair<std::string, std::string>> coordinates = {};
  std::vector<MethodResult> methods = {};

  // Null where the method is not in the case.
  const MethodResult* method(const std::string& label) const;
  // Of a coordinate; empty where the case has none of that name.
  std::string coordinate(const std::string& name) const;
};

struct RunResult {
  StoredRun run = {};
  Plan plan = {};
  std::vector<CaseResult> cases = {};
};

// The newest run of a store, or the one of this number. A store without runs is a StoreError.
// registry: holds the methods and models that its configuration names; borrowed by the plan.
RunResult load_results(const RunStore& store,
                       std::optional<RunId> run = std::nullopt,
                       const Registry& registry = Registry::standard());
// The same for a run whose plan is at hand: its document is not parsed again.
RunResult load_results(const RunStore& store, RunId run, Plan plan);

// Rounds of a method that changed nothing because nobody's update could be taken in: figures after them are those
// before them.
struct LostRounds {
  std::string case_name = {};
  std::string label = {};
  Index lost = 0;
  Index rounds = 0;
  std::string reason = {};  // of the last one; may be empty
};
// Of every method that has some.
std::vector<LostRounds> lost_rounds(const RunResult& result);

// Whether a job gave up with an error, or lost every round: its figures show the start.
bool has_failed_jobs(const RunResult& result);

// Mean over trials, with the standard error of the mean: deviation (n - 1) / sqrt(n). NaN where there is nothing; the
// error of a single trial is 0.
struct Estimate {
  double mean = 0;
  double error = 0;
  Index trials = 0;
};
Estimate estimate_of(const std::vector<double>& values);

// A figure in a round, of all trials that have it there. round 0: the last round that has it.
std::vector<double> values_at(const MethodResult& method, const std::string& figure, Index round = 0);
Estimate at_round(const MethodResult& method, const std::string& figure, Index round = 0);
// The mean over trials by round: only rounds that every finished trial has.
std::map<Index, double> mean_curve(const MethodResult& method, const std::string& figure);

// The first round from which the mean is at the target or better in every evaluated round until the end: reached and
// held. Nothing where the last mean misses it. Every dip counts, however small: an allowance would be another target.
// For figures where less is better: at the target or below.
std::optional<Index> rounds_to_hold(const MethodResult& method, const std::string& figure, double target);
// The first round whose mean is at the target, whatever comes after: what the paper's claims speak of.
std::optional<Index> rounds_to_reach(const MethodResult& method, const std::string& figure, double target);
// Exchanged by one trial up to a round, mean over trials; 0 for a centralised method.
double bytes_until(const MethodResult& method, Index round);

// rmse, ece, mce, brier, kl...: less is better.
bool less_is_better(const std::string& figure);

}  // namespace fedstein
