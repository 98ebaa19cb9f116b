// SPDX-License-Identifier: Apache-2.0
// From a plan to a finished run on disk: begun, gone on with or found there. The data is read once, the store opened
// once.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "fedstein/experiment/execute.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

struct RunRequest {
  Plan plan = {};
  std::string folder = {};   // runs/NAME; the store and the posterior files go there
  std::string command = {};  // that would do the same again
  bool resume = false;       // go on with the newest unfinished run
  bool reuse = false;        // a finished run of the same configuration is as good as a new one
  int threads = 0;
  double checkpoint_seconds = 15;
  std::string data_folder = {};
  std::stop_token stop = {};
  std::function<void(const Progress&)> on_progress = {};
  // Once, before the first job: for whoever wants to hear of rounds (RunStore::watch).
  std::function<void(RunStore& store, RunId run)> on_begin = {};
};

struct ConductedRun {
  RunStore store;  // open for writing
  RunId run = 0;
  bool reused = false;
  // Nothing: stopped before its end, to be resumed.
  std::optional<RunResult> result = {};
};

// What is wrong with the request, with its data or with a file that would be in the way is thrown before any work.
ConductedRun conduct_run(const RunRequest& request);

// Files in the run folder's posteriors that no trial of this plan has written: of runs before, or a user's own. They
// look like results of this run and are none.
std::vector<std::string> models_of_other_runs(const Plan& plan, const std::string& folder);

}  // namespace fedstein
