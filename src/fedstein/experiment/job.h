// SPDX-License-Identifier: Apache-2.0
// One method on one trial of one case, from its last checkpoint or its beginning to its end.
#pragma once

#include <functional>
#include <stop_token>

#include "fedstein/config/plan.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

struct Job {
  const CasePlan* case_plan = nullptr;
  const AlgorithmPlan* algorithm = nullptr;
  Index trial = 1;
  std::uint64_t seed = 0;  // of the trial
  JobId id = 0;            // in the store
  // Whether the store may hold a checkpoint of it. Looking for one brings what others wrote to disk first.
  bool begun = true;
  bool maps = false;  // the last round's belief is drawn over the plane (plane_map.h)
};

struct JobOptions {
  // A job whose rounds were on disk this long ago writes a checkpoint after its next round; a shorter job has none and
  // would start over, to the same numbers.
  double checkpoint_seconds = 15;
  std::stop_token stop = {};                       // requested: checkpoint after the round in hand, and end
  std::function<void(Index round)> on_round = {};  // after each; from the job's thread
  std::function<void()> on_last_round = {};        // after on_round of it: what is left waits for the disk alone
  // With what was learned, before the job counts as done.
  std::function<void(const Particles& particles)> on_end = {};
};

enum class JobEnd { kDone, kStopped };

// Rounds, figures, particles and the last round's reliability go to the store. What goes wrong inside is thrown.
JobEnd run_job(const Job& job, const TrialData& data, RunStore& store, const JobOptions& options);

}  // namespace fedstein
