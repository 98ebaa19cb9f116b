// SPDX-License-Identifier: Apache-2.0
#include "running.h"

#include <iostream>

#include "fedstein/base/instead_of.h"
#include "fedstein/base/text.h"
#include "fedstein/config/parse.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/report/report.h"
#include "live_server.h"
#include "progress.h"
#include "stop_signal.h"

namespace fedstein {
namespace {

void warn_of_lost_rounds(const RunResult& result) {
  for (const LostRounds& lost : lost_rounds(result)) {
    std::cerr << "warning: " << lost.case_name << ": " << lost.label << ": " << lost.lost << " of " << lost.rounds
              << " rounds took nobody's update in" << (lost.reason.empty() ? "" : ": " + lost.reason) << "\n";
  }
}

void say_failures(const RunResult& result) {
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      for (const TrialResult& trial : method.trials) {
        if (trial.status != JobStatus::kFailed) continue;
        std::cerr << "failed: " << case_result.name << ": " << method.label << ", trial " << trial.trial << ": "
                  << trial.error << "\n";
      }
    }
  }
}

void tell_of_other_models(const Plan& plan, const std::string& folder) {
  const std::vector<std::string> others = models_of_other_runs(plan, folder);
  if (others.empty()) return;
  std::cerr << "note: " << folder << "/" << kPosteriorFolder
            << " also holds models that this run did not make: " << names_around("", others) << "\n";
}

// Shows how far it is, on a page too where that is wanted, and stops resumably on Ctrl-C.
ConductedRun with_progress(RunRequest& request, const LiveRequest& live) {
  const StopSignal signal;
  ProgressLine line;
  std::shared_ptr<LiveRun> shown;
  std::unique_ptr<LivePage> page;
  request.stop = signal.token();
  request.on_progress = [&](const Progress& progress) { line.show(progress); };
  if (live.wanted) {
    request.on_begin = [&](RunStore& store, RunId run) {
      shown = std::make_shared<LiveRun>(LiveKind::kRun, request.plan, store, run);
      store.watch(shown);
      page = run_page({request.folder, live.port, live.token_file}, shown);
      std::cerr << "live page: " << page->url() << "\n";
    };
  }
  ConductedRun out = conduct_run(request);
  if (shown) shown->end(out.result ? "finished" : "stopped");
  return out;
}

}  // namespace

std::optional<ConductedRun> perform(RunRequest request, const LiveRequest& live) {
  for (const std::string& remark : remarks_on(request.plan)) std::cerr << "note: " << remark << "\n";
  check_output(request.folder + "/" + kReportName, report_output());
  std::optional<ConductedRun> run = with_progress(request, live);
  tell_of_other_models(request.plan, request.folder);
  if (!run->result) {
    std::cerr << "stopped; everything up to here is in " << request.folder << "/" << kStoreName
              << "\ngo on with: " << request.command << " --resume\n";
    return std::nullopt;
  }
  if (run->reused) {
    std::cerr << request.folder << " has this run already (--again runs it anew)\n";
    return run;
  }
  say_failures(*run->result);
  warn_of_lost_rounds(*run->result);
  return run;
}

std::string write_run_report(const std::string& folder, const ConductedRun& run, std::vector<ClaimResult> claims) {
  std::string path = folder + "/" + kReportName;
  std::vector<ReportedRun> runs;
  runs.push_back({.store = &run.store, .result = *run.result, .claims = std::move(claims)});
  write_report(path, report_json(runs, utc_now()));
  return path;
}

}  // namespace fedstein
