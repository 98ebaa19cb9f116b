// SPDX-License-Identifier: Apache-2.0
#include "running.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/execute.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/report/report.h"
#include "fedstein/store/run_lock.h"
#include "interrupt.h"
#include "progress.h"
#include "reporting.h"
#include "run_choice.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

// The run to go on with; it must be the one that was asked for.
RunId unfinished(const RunStore& store, const RunRequest& request) {
  const std::vector<StoredRun> runs = store.runs();
  const auto newest =
      std::find_if(runs.rbegin(), runs.rend(), [](const StoredRun& run) { return run.finished.empty(); });
  if (newest == runs.rend()) {
    throw InvalidArgument("--resume: " + request.folder + " has no unfinished run; without --resume a new one begins");
  }
  if (newest->facts.configuration != to_json(request.plan)) {
    throw InvalidArgument("--resume: the unfinished run " + std::to_string(newest->id) + " of " + request.folder +
                          " has another configuration; give the same file and options as then, or start a new run "
                          "without --resume");
  }
  return newest->id;
}

std::optional<RunId> finished_alike(const RunStore& store, const Plan& plan) {
  const std::string configuration = to_json(plan);
  std::optional<RunId> found;
  for (const StoredRun& run : store.runs()) {
    if (!run.finished.empty() && run.facts.configuration == configuration && run.facts.version == FEDSTEIN_VERSION) {
      found = run.id;
    }
  }
  return found;
}

// Rounds that changed nothing because nobody's update could be taken in: figures after them are those before them.
void warn_of_lost_rounds(const RunResult& result) {
  for (const CaseResult& setting : result.cases) {
    for (const MethodResult& method : setting.methods) {
      Index lost = 0;
      Index rounds = 0;
      std::string reason;
      for (const TrialResult& trial : method.trials) {
        for (const RoundRecord& record : trial.rounds) {
          ++rounds;
          if (!record.folded.empty()) continue;
          ++lost;
          if (!record.failures.empty()) reason = record.failures.front().reason;
        }
      }
      if (lost == 0) continue;
      std::cerr << "warning: " << setting.name << ": " << method.label << ": " << lost << " of " << rounds
                << " rounds took nobody's update in" << (reason.empty() ? "" : ": " + reason) << "\n";
    }
  }
}

void say_failures(const RunStore& store, RunId run) {
  for (const StoredJob& job : store.jobs(run)) {
    if (job.status != JobStatus::kFailed) continue;
    std::cerr << "failed: " << job.facts.case_name << ": " << job.facts.algorithm << ", trial " << job.facts.trial
              << ": " << job.error << "\n";
  }
}

// What a run will write besides its store, asked before the work.
void check_outputs(const RunRequest& request) {
  check_output(request.folder + "/" + kReportName, report_output());
  for (const CasePlan& setting : request.plan.cases) {
    if (!has_posterior(setting)) continue;
    for (const AlgorithmPlan& algorithm : setting.algorithms) {
      const TrainedJob first{&request.plan, &setting, &algorithm, 1};
      check_output(request.folder + "/" + kPosteriorFolder + "/" + posterior_file_name(first), posterior_output());
    }
  }
}

// Every round was lost: what the figures show is the start.
bool took_nothing_in(const TrialResult& trial) {
  const auto is_lost = [](const RoundRecord& record) { return record.folded.empty(); };
  return !trial.rounds.empty() && std::all_of(trial.rounds.begin(), trial.rounds.end(), is_lost);
}

}  // namespace

std::optional<RunResult> perform(const RunRequest& request) {
  const fs::path path = fs::path(request.folder) / kStoreName;
  if (request.resume && !fs::exists(path)) {
    throw InvalidArgument("--resume: there is no run in " + request.folder);
  }
  check_outputs(request);
  check_own_files(request.plan);
  std::error_code failed;
  fs::create_directories(request.folder, failed);
  if (failed) throw StoreError("cannot make the folder " + request.folder + ": " + failed.message());
  RunStore store(path.string(), RunStore::Mode::kWrite);
  if (request.reuse && !request.resume) {
    if (const auto run = finished_alike(store, request.plan)) {
      std::cerr << request.folder << " has this run already (--again runs it anew)\n";
      return load_results(store, *run);
    }
  }
  const RunId run = request.resume ? unfinished(store, request) : begin_run(request.plan, store, request.command);
  const RunLock lock(path.string(), run);

  const Interruption interruption;
  RunEnd end;
  {
    ProgressLine line;
    ExecuteOptions options{.data_folder = request.data_folder, .threads = request.threads};
    options.checkpoint_seconds = request.checkpoint_seconds;
    options.posterior_folder = request.folder + "/" + kPosteriorFolder;
    options.stop = &interruption.requested();
    options.on_progress = [&](const Progress& progress) { line.show(progress); };
    end = execute(request.plan, store, run, options);
  }
  if (!end.complete) {
    std::cerr << "stopped; everything up to here is in " << path.string() << "\ngo on with: " << request.command
              << " --resume\n";
    return std::nullopt;
  }
  if (end.failed_jobs > 0) say_failures(store, run);
  RunResult result = load_results(store, run);
  warn_of_lost_rounds(result);
  return result;
}

RunResult results_of(const std::string& run) {
  const RunChoice choice = choose_run(run);
  return load_results(choice.store, choice.run);
}

bool has_failed_jobs(const RunResult& result) {
  for (const CaseResult& setting : result.cases) {
    for (const MethodResult& method : setting.methods) {
      for (const TrialResult& trial : method.trials) {
        if (trial.status == JobStatus::kFailed || took_nothing_in(trial)) return true;
      }
    }
  }
  return false;
}

}  // namespace fedstein
