// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/database.h"

#include <utility>

#include "fedstein/store/row_reader.h"
#include "fedstein/store/store_file.h"

namespace fedstein {
namespace {

// A commit waits for the disk, some milliseconds; two a second cost nothing, and no more than half a second of rounds
// is lost to a kill. Rounds before a checkpoint are never lost: it takes them along.
constexpr std::chrono::milliseconds kLongestWait{500};
constexpr std::size_t kMostWaitingBytes = std::size_t{16} << 20U;  // particles of every round add up

}  // namespace

RunStore::Database::Database(const std::string& path, Mode mode)
    : mode_(mode), connection_(mode == Mode::kWrite ? open_to_write(path) : open_to_read(path)) {
  if (mode == Mode::kWrite) flusher_ = std::thread([this] { flush_in_time(); });
}

RunStore::Database::~Database() {
  if (mode_ == Mode::kRead) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  flusher_.join();
  try {
    flush_locked();
  } catch (const std::exception&) {
    // Nobody is left to tell; whoever must know calls flush().
    waiting_.clear();
  }
}

void RunStore::Database::write_soon(JobId job, std::size_t bytes, Write write) {
  const std::lock_guard lock(mutex_);
  require_writing();
  rethrow_background_failure();
  require_job(job);
  if (waiting_.empty()) {
    deadline_ = std::chrono::steady_clock::now() + kLongestWait;
    changed_.notify_all();
  }
  waiting_.push_back(std::move(write));
  waiting_bytes_ += bytes;
  if (waiting_bytes_ > kMostWaitingBytes) flush_locked();
}

void RunStore::Database::write_now(JobId job, Write write) {
  const std::lock_guard lock(mutex_);
  require_writing();
  require_job(job);
  waiting_.push_back(std::move(write));
  try {
    flush_locked();
  } catch (...) {
    waiting_.pop_back();  // the caller knows that it failed; a later flush must not bring it back
    throw;
  }
}

void RunStore::Database::finish_run(RunId run) {
  const std::lock_guard lock(mutex_);
  require_writing();
  require_run(run);
  flush_locked();
  RowWriter(*connection_).run_finished(run);
}

void RunStore::Database::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

RunId RunStore::Database::begin(const RunFacts& facts, const std::vector<JobFacts>& jobs) {
  const std::lock_guard lock(mutex_);
  require_writing();
  Transaction transaction(*connection_, Transaction::Kind::kWrite);
  const RunId out = insert_run(*connection_, facts, jobs);
  transaction.commit();
  return out;
}

void RunStore::Database::require_run(RunId run) {
  if (!has_run(*connection_, run)) throw StoreError(path() + ": there is no run " + std::to_string(run));
}

void RunStore::Database::require_job(JobId job) {
  if (known_jobs_.contains(job)) return;
  if (!has_job(*connection_, job)) throw StoreError(path() + ": there is no job " + std::to_string(job));
  known_jobs_.insert(job);
}

void RunStore::Database::require_writing() const {
  if (mode_ != Mode::kWrite) throw StoreError(path() + ": was opened for reading; nothing can be written");
}

void RunStore::Database::rethrow_background_failure() {
  if (background_failure_) std::rethrow_exception(std::exchange(background_failure_, nullptr));
}

// All or nothing: what could not be written waits on.
void RunStore::Database::flush_locked() {
  if (waiting_.empty()) return;
  {
    RowWriter writer(*connection_);
    Transaction transaction(*connection_, Transaction::Kind::kWrite);
    for (const Write& write : waiting_) write(writer);
    transaction.commit();
  }
  waiting_.clear();
  waiting_bytes_ = 0;
  background_failure_ = nullptr;
}

void RunStore::Database::flush_in_time() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    if (waiting_.empty()) {
      changed_.wait(lock);
      continue;
    }
    if (std::chrono::steady_clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
      continue;
    }
    try {
      flush_locked();
    } catch (const std::exception&) {
      background_failure_ = std::current_exception();  // for the next who writes
      deadline_ = std::chrono::steady_clock::now() + kLongestWait;
    }
  }
}

}  // namespace fedstein
