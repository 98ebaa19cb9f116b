// SPDX-License-Identifier: Apache-2.0
// A networked run in the run store, where `compare`, `report` and `export` find it like any other.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fedstein/serving/desk_status.h"
#include "fedstein/serving/federation_plan.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

// How a run has ended.
struct ServedRun {
  Index rounds = 0;
  Index lost_rounds = 0;       // that took nobody's update in
  std::string loss = {};       // why, of the last such round
  std::string posterior = {};  // the file, or why there is none
  Particles particles = {};    // of the last belief
};

class ServingRecord : public Observer {
 public:
  // The journal is the truth: rounds that it has closed and the store lacks, because the server was killed in between,
  // are written now. `on_round` hears of every new one; may be empty.
  ServingRecord(const FederationPlan& federation,
                const std::string& folder,
                const std::vector<RoundRecord>& journalled,
                std::function<void(const RoundRecord& record)> on_round);

  Next on_round(RoundRecord& record, const Particles& particles) override;
  void finish(const Particles& particles);
  // How many rounds there were, and how many took nobody's update in.
  ServedRun summary() const;
  // The agents' bins of the last belief, added up, with the figures that follow from them. Written once.
  void calibrate(const DeskStatus& status);
  std::map<std::string, double> last_figures() const;
  RunStore& store() { return store_; }
  RunId run() const { return run_; }

 private:
  void remember(const RoundRecord& record);

  const FederationPlan& federation_;
  std::function<void(const RoundRecord& record)> on_round_;
  RunStore store_;
  RunId run_ = 0;
  JobId job_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, double> figures_;
};

}  // namespace fedstein
