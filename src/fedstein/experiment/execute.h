// SPDX-License-Identifier: Apache-2.0
// Runs a plan: its jobs spread over the cores, each job deterministic, everything written to the store as it happens.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "fedstein/config/plan.h"
#include "fedstein/experiment/data_shelf.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

struct Progress {
  Index jobs_done = 0;
  Index jobs = 0;
  Index rounds_done = 0;
  Index rounds = 0;
  Index rounds_before = 0;  // of rounds_done, those that an earlier process did
  double seconds = 0;       // since this process began
  std::string label = {};   // of the job that just moved: "covertype, K = 20: dsvgd, trial 3"
};

struct ExecuteOptions {
  int threads = 0;  // jobs that compute at a time (others may wait for the disk); 0: as many as there are cores
  double checkpoint_seconds = 15;
  // Where posterior files go (trained.h); empty: nowhere. Of every case and method the first trial's is written:
  // particles of all trials are in the store, and a network's are large.
  std::string posterior_folder = {};
  std::stop_token stop = {};  // requested: ends resumably
  // After every round of every job, one call at a time.
  std::function<void(const Progress&)> on_progress = {};
};

struct RunEnd {
  bool complete = false;  // false: stopped, to be resumed
  Index failed_jobs = 0;  // gave up with an error, which the store holds
};

// Writes the run and its jobs down, before any work.
RunId begin_run(const Plan& plan, RunStore& store, const std::string& command);

// Works through the run's jobs that are not done yet, on data from the shelf. The store ends with the same numbers
// whatever the number of threads and however often the run was stopped, killed and continued; only seconds differ.
RunEnd execute(const Plan& plan, RunStore& store, RunId run, DataShelf& shelf, const ExecuteOptions& options);

// Cores, processor and system, as JSON.
std::string host_facts();

}  // namespace fedstein
