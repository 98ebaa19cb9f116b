// SPDX-License-Identifier: Apache-2.0
// What stands behind a RunStore: one connection, what is waiting to be written, and the thread that does not let it
// wait too long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fedstein/store/row_writer.h"
#include "fedstein/store/run_store.h"
#include "fedstein/store/sqlite.h"

namespace fedstein {

class RunStore::Database {
 public:
  Database(const std::string& path, Mode mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  using Write = std::function<void(RowWriter&)>;
  // Later, with others; `bytes`: about how much memory it holds meanwhile.
  void write_soon(JobId job, std::size_t bytes, Write write);
  // Now, in one transaction with all that is waiting.
  void write_now(JobId job, Write write);
  void finish_run(RunId run);
  void flush();
  RunId begin(const RunFacts& facts, const std::vector<JobFacts>& jobs);

  // What is waiting goes to disk first: a store reads what was written to it. `job`, `run`: must be in the store.
  template <typename Read>
  auto read(Read read_rows) {
    const std::lock_guard lock(disk_);
    write_waiting();
    return read_rows(*connection_);
  }
  template <typename Read>
  auto read_job(JobId job, Read read_rows) {
    const std::lock_guard lock(disk_);
    write_waiting();
    require_job(job);
    return read_rows(*connection_);
  }
  void require_run(RunId run);
  const std::string& path() const { return connection_->path(); }

 private:
  bool is_known(JobId job);
  void require_job(JobId job);  // with disk_ held
  void require_writing() const;
  void rethrow_background_failure();
  // In one transaction with `last`, if there is any; with disk_ held.
  void write_waiting(const Write& last = {});
  void write_or_remember();
  void flush_in_time();  // the thread

  const Mode mode_;
  // A commit holds it for as long as the disk takes. Whoever writes a round meanwhile only needs the other one, and
  // does not wait. Who needs both takes this one first.
  std::mutex disk_;  // of the connection
  std::unique_ptr<Connection> connection_;
  std::mutex mutex_;  // of everything below
  std::set<JobId> known_jobs_;
  std::vector<Write> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::chrono::steady_clock::time_point deadline_ = {};  // of the oldest that waits
  std::exception_ptr background_failure_;
  bool closing_ = false;
  std::condition_variable changed_;
  std::thread flusher_;
};

}  // namespace fedstein
