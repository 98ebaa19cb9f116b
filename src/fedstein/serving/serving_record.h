// SPDX-License-Identifier: Apache-2.0
// A networked run in the run store, where `compare`, `report` and `export` find it like any other.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fedstein/serving/federated_evaluation.h"
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
  // What agents say of the belief after a round: the figures join the round's record, which may be written already. Of
  // what was said before and after a restart the figures over more rows stay. From any thread.
  void evaluated(const EvaluatedRound& round);
  // To the disk, now.
  void flush() { store_.flush(); }
  // The first round whose evaluations may have been lost with an earlier process of this server.
  Index evaluations_from() const { return evaluations_from_; }
  // The latest of each name: an evaluation comes a round later than the rest.
  std::map<std::string, double> last_figures() const;
  RunStore& store() { return store_; }
  RunId run() const { return run_; }

 private:
  void remember(const RoundRecord& record);
  void add_evaluation(RoundRecord& record);

  const FederationPlan& federation_;
  std::function<void(const RoundRecord& record)> on_round_;
  RunStore store_;
  RunId run_ = 0;
  JobId job_ = 0;
  Index evaluations_from_ = 1;
  mutable std::mutex mutex_;               // of everything below
  Index written_ = 0;                      // the last round that is in the store
  std::map<Index, double> rows_;           // of the evaluations in the store, by round
  std::map<Index, EvaluatedRound> early_;  // of rounds that are not in the store yet
  Index last_evaluated_ = 0;
  std::map<std::string, double> figures_;
};

}  // namespace fedstein
