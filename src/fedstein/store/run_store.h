// SPDX-License-Identifier: Apache-2.0
// Runs on disk: what was asked, and every round as it happened. One SQLite file (WAL) holds any number of runs; several
// processes may write different runs into it at the same time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/store/run_facts.h"
#include "fedstein/store/store_watcher.h"

namespace fedstein {

class RunStore {
 public:
  enum class Mode { kRead, kWrite };

  // kWrite makes the file, not its folder, where there is none. kRead works while others write. Throws StoreError, one
  // sentence, for what is not a run store, is of a newer format, damaged, or cannot be read. Not to be used on both
  // sides of a fork().
  RunStore(const std::string& path, Mode mode);
  ~RunStore();
  RunStore(RunStore&&) noexcept;

  // --- writing; safe from several threads ---
  // Rounds are kept back for up to half a second and go to disk together; whatever flushes (checkpoint, finish, flush)
  // takes all earlier ones with it. Writing a round again replaces it. When that fails meanwhile, the next write
  // throws; the destructor flushes too, but cannot say that it failed. Whoever resumes a run holds its RunLock.
  RunId begin(const RunFacts& facts, const std::vector<JobFacts>& jobs);
  void write_round(JobId job, const RoundRecord& record);
  // Figures that come after their round was written.
  void write_figures(JobId job, Index round, const std::map<std::string, double>& figures);
  void write_particles(JobId job, Index round, const Particles& particles);
  // What figures draw of a belief: a toy's density, one row per cell of the first axis, or a map (plane_map.h).
  void write_density(JobId job, Index round, const Matrix& values);
  void write_reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins);
  // What a job leaves beside its rounds, by name, as JSON: what a report draws of its last belief. Nothing computes
  // with it.
  void write_detail(JobId job, const std::string& name, const std::string& text);
  // One transaction: everything up to `round`, and the state to go on from.
  void checkpoint(JobId job, Index round, const std::string& state);
  void finish_job(JobId job, const std::string& error = {});  // an error: the job failed and is not tried again
  void finish_run(RunId run);
  void flush();
  // Who hears of rounds, reliability and ends of jobs from now on. Before several threads write; null: nobody.
  void watch(std::shared_ptr<StoreWatcher> watcher);

  // --- reading; a run, job or round that is not there: StoreError ---
  std::vector<StoredRun> runs() const;  // oldest first
  std::vector<StoredJob> jobs(RunId run) const;
  std::optional<Checkpoint> last_checkpoint(JobId job) const;
  std::vector<RoundRecord> rounds(JobId job, Index after = 0) const;  // by round, those behind `after`
  std::vector<Index> rounds_with_particles(JobId job) const;
  Particles particles(JobId job, Index round) const;
  std::optional<Matrix> density(JobId job, Index round) const;
  std::vector<StoredReliability> reliability(JobId job) const;
  std::map<std::string, std::string> details(JobId job) const;
  // Reads the whole file; throws StoreError when any of it is damaged. What is read otherwise is checked as it is read.
  void check() const;

 private:
  class Database;
  std::unique_ptr<Database> database_;
  std::shared_ptr<StoreWatcher> watcher_;
};

}  // namespace fedstein
