// SPDX-License-Identifier: Apache-2.0
// A run that another process writes, seen through its store: of our server, of Flower's, of a program in Python, or one
// that is over. Nothing is asked of that process.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fedstein/experiment/run_choice.h"
#include "fedstein/live/agents_of_rounds.h"
#include "fedstein/live/live_run.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

class FollowedRun {
 public:
  // A run's folder or store, "#N" behind it for another run than the newest. Throws a sentence where there is none.
  explicit FollowedRun(const std::string& run);

  // Reads what has come since and adds what there is to show now. From any thread.
  void show(Board::Parts& parts);
  LiveRun::Totals totals();
  std::string name();

 private:
  // Of one job, what the page has been told.
  struct Job {
    JobId id = 0;
    Index told = 0;                                               // the last round
    std::map<Index, std::map<std::string, double>> figures = {};  // of the latest rounds, which may get more of them
    Index bins_round = 0;
    JobStatus status = JobStatus::kWaiting;
  };

  FollowedRun(RunChoice choice, bool newest);
  void begin(const StoredRun& run);
  std::string read_on();  // what is wrong with the store; empty: nothing
  void catch_up();
  void catch_up(Job& job);
  static void remember(Job& job, const RoundRecord& record);

  std::mutex mutex_;  // of everything
  std::string file_;  // the store
  RunStore store_;
  bool newest_;  // a run that begins later is followed instead
  StoredRun run_;
  std::unique_ptr<LiveRun> live_;
  std::vector<Job> jobs_;
  std::unique_ptr<AgentsOfRounds> agents_;  // null: no networked federation
  std::string label_;                       // of its method
  Index rounds_ = 0;
  bool writer_ = false;  // is at work
  std::string state_ = "running";
};

}  // namespace fedstein
