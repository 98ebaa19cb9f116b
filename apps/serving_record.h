// SPDX-License-Identifier: Apache-2.0
// A networked run in the run store, where `compare`, `report` and `export` find it like any other.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "federation_plan.h"
#include "fedstein/rpc/desk_status.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

class ServingRecord : public Observer {
 public:
  // Goes on with the store's run when rounds were closed before.
  ServingRecord(const FederationPlan& federation, const std::string& folder, Index closed_round);

  Next on_round(RoundRecord& record, const Particles& particles) override;
  void finish(const Particles& particles);
  // The agents' bins of the last belief, added up, with the figures that follow from them. Written once.
  void calibrate(const DeskStatus& status);
  std::map<std::string, double> last_figures() const;

 private:
  void remember(const RoundRecord& record);

  const FederationPlan& federation_;
  RunStore store_;
  RunId run_ = 0;
  JobId job_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, double> figures_;
};

}  // namespace fedstein
