// SPDX-License-Identifier: Apache-2.0
// A run as its live page shows it: the jobs, the curves as they grow, and calibration. A networked federation is a run
// of one job.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fedstein/config/plan.h"
#include "fedstein/live/board.h"
#include "fedstein/live/series_curve.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

enum class LiveKind { kRun, kFederation };
// A run that goes on from a checkpoint in this process does the rounds after it again.
enum class LiveStart { kCheckpoint, kLastRound };

class LiveRun : public StoreWatcher {
 public:
  // Takes what the store holds of the run: a page that is opened late, or after a restart, shows whole curves.
  LiveRun(LiveKind kind, const Plan& plan, const RunStore& store, RunId run, LiveStart start = LiveStart::kCheckpoint);

  void wrote_round(JobId job, const RoundRecord& record) override;
  void wrote_figures(JobId job, Index round, const std::map<std::string, double>& figures) override;
  void wrote_reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins) override;
  void finished_job(JobId job, const std::string& error) override;
  // "finished", "stopped"; "running" until then.
  void end(const std::string& state);

  // Adds what there is to show now.
  void show(Board::Parts& parts) const;

  struct Totals {
    std::string state = {};
    Index jobs = 0;
    Index jobs_done = 0;
    Index jobs_failed = 0;
    Index rounds = 0;
    Index rounds_done = 0;
    double seconds_left = -1;  // below 0: not known yet
    double bytes_up = 0;       // numbers that agents sent, in all rounds of all processes
    double bytes_down = 0;
  };
  Totals totals() const;
  std::string name() const { return stored_.facts.name; }

 private:
  using Clock = std::chrono::steady_clock;
  struct LiveJob {
    JobId id = 0;
    std::size_t series = 0;
    Index trial = 1;
    Index rounds = 0;
    JobStatus status = JobStatus::kWaiting;
    std::string error = {};
    Index round = 0;        // the last one that is over
    Index evaluated = 0;    // rounds with figures
    Index before = 0;       // rounds that an earlier process did
    Index lost = 0;         // rounds that took nobody's update in
    std::string loss = {};  // why, of the last of them
    Clock::time_point begun = {};
    bool runs = false;  // in this process
    double bytes_up = 0;
    double bytes_down = 0;
    double seconds = 0;
  };
  // Of a round that fewer agents have evaluated by now than the one before it.
  struct HalfEvaluated {
    Index round = 0;
    std::map<std::string, double> figures = {};
  };
  struct LiveSeries {
    std::size_t case_index = 0;
    const AlgorithmPlan* algorithm = nullptr;
    SeriesCurve curve;
    std::vector<std::size_t> jobs = {};  // by trial
    double evaluated_by = 0;             // agents, the last round whose figures are drawn
    HalfEvaluated half = {};
    Index bins_round = 0;
    std::vector<ReliabilityBin> bins = {};  // added up over trials
  };

  LiveJob* find_job(JobId id);
  void note(LiveJob& job, const RoundRecord& record);
  void note_late(LiveSeries& series, Index round, const std::map<std::string, double>& figures);
  void draw_half(LiveSeries& series);
  void note_bins(LiveSeries& series, Index round, const std::vector<ReliabilityBin>& bins);
  double seconds_left(const LiveJob& job, Clock::time_point now) const;
  Totals totals_now() const;
  void show_run(Board::Parts& parts) const;
  void show_jobs(Board::Parts& parts, std::size_t index) const;

  const LiveKind kind_;
  const Plan plan_;
  StoredRun stored_;
  Clock::time_point begun_ = Clock::now();
  mutable std::mutex mutex_;  // of everything below
  std::vector<LiveJob> jobs_;
  std::vector<LiveSeries> series_;
  std::string state_ = "running";
  Index rounds_before_ = 0;
};

}  // namespace fedstein
