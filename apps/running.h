// SPDX-License-Identifier: Apache-2.0
// From a plan to a finished run on disk: what `run` and `reproduce` share.
#pragma once

#include <optional>
#include <string>

#include "fedstein/config/plan.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

struct RunRequest {
  Plan plan = {};
  std::string folder = {};   // runs/NAME
  std::string command = {};  // that would do the same again
  bool resume = false;       // go on with the newest unfinished run
  bool reuse = false;        // a finished run of the same configuration is as good as a new one
  int threads = 0;
  double checkpoint_seconds = 15;
  std::string data_folder = {};
};

// The exit code of a program that Ctrl-C ended.
inline constexpr int kInterrupted = 130;

// The results, or nothing when the run was interrupted; what to do then has been said on stderr.
std::optional<RunResult> perform(const RunRequest& request);

// Whether a job gave up with an error: the exit code of its run is 1.
bool has_failed_jobs(const RunResult& result);

// The store's newest run, or number N of "runs/NAME#N".
RunResult results_of(const std::string& run);

}  // namespace fedstein
