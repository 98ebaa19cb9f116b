// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/store/run_facts.h"

namespace fedstein {

// Hears of what is written into a run store, inside the call that writes it and from its thread: it must be quick, and
// several threads may call at a time.
class StoreWatcher {
 public:
  virtual ~StoreWatcher() = default;
  virtual void wrote_round(JobId job, const RoundRecord& record) = 0;
  // Figures of a round that was written before.
  virtual void wrote_figures(JobId job, Index round, const std::map<std::string, double>& figures) = 0;
  virtual void wrote_reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins) = 0;
  // error: as finish_job's; empty: it is done.
  virtual void finished_job(JobId job, const std::string& error) = 0;
};

}  // namespace fedstein
