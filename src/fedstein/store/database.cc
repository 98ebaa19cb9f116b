// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/database.h"

#include <iterator>
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
    flush();
  } catch (const std::exception&) {
    // Nobody is left to tell; whoever must know calls flush().
    waiting_.clear();
  }
}

void RunStore::Database::write_soon(JobId job, std::size_t bytes, Write write) {
  require_writing();
  if (!is_known(job)) {
    const std::lock_guard lock(disk_);
    require_job(job);
  }
  {
    const std::lock_guard lock(mutex_);
    rethrow_background_failure();
    if (waiting_.empty()) {
      deadline_ = std::chrono::steady_clock::now() + kLongestWait;
      changed_.notify_all();
    }
    waiting_.push_back(std::move(write));
    waiting_bytes_ += bytes;
    if (waiting_bytes_ <= kMostWaitingBytes) return;
  }
  flush();
}

void RunStore::Database::write_now(JobId job, Write write) {
  const std::lock_guard lock(disk_);
  require_writing();
  require_job(job);
  write_waiting(write);
}

void RunStore::Database::finish_run(RunId run) {
  const std::lock_guard lock(disk_);
  require_writing();
  require_run(run);
  write_waiting();
  RowWriter(*connection_).run_finished(run);
}

void RunStore::Database::flush() {
  const std::lock_guard lock(disk_);
  write_waiting();
}

RunId RunStore::Database::begin(const RunFacts& facts, const std::vector<JobFacts>& jobs) {
  const std::lock_guard lock(disk_);
  require_writing();
  Transaction transaction(*connection_, Transaction::Kind::kWrite);
  const RunId out = insert_run(*connection_, facts, jobs);
  transaction.commit();
  return out;
}

void RunStore::Database::require_run(RunId run) {
  if (!has_run(*connection_, run)) throw StoreError(path() + ": there is no run " + std::to_string(run));
}

bool RunStore::Database::is_known(JobId job) {
  const std::lock_guard lock(mutex_);
  return known_jobs_.contains(job);
}

void RunStore::Database::require_job(JobId job) {
  if (is_known(job)) return;
  if (!has_job(*connection_, job)) throw StoreError(path() + ": there is no job " + std::to_string(job));
  const std::lock_guard lock(mutex_);
  known_jobs_.insert(job);
}

void RunStore::Database::require_writing() const {
  if (mode_ != Mode::kWrite) throw StoreError(path() + ": was opened for reading; nothing can be written");
}

void RunStore::Database::rethrow_background_failure() {
  if (background_failure_) std::rethrow_exception(std::exchange(background_failure_, nullptr));
}

// All or nothing: what could not be written waits on, except for `last`, whose caller knows that it failed.
void RunStore::Database::write_waiting(const Write& last) {
  std::vector<Write> taken;
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(waiting_);
    bytes = std::exchange(waiting_bytes_, 0);
  }
  if (taken.empty() && !last) return;
  try {
    RowWriter writer(*connection_);
    Transaction transaction(*connection_, Transaction::Kind::kWrite);
    for (const Write& write : taken) write(writer);
    if (last) last(writer);
    transaction.commit();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.begin(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
    waiting_bytes_ += bytes;
    deadline_ = std::chrono::steady_clock::now() + kLongestWait;  // the thread may have seen an empty queue
    changed_.notify_all();
    throw;
  }
  const std::lock_guard lock(mutex_);
  background_failure_ = nullptr;
}

// A failure is for the next who writes, unless a commit mends it; both are known only to who holds the disk.
void RunStore::Database::write_or_remember() {
  const std::lock_guard disk(disk_);
  try {
    write_waiting();
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    background_failure_ = std::current_exception();
  }
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
    lock.unlock();
    write_or_remember();
    lock.lock();
  }
}

}  // namespace fedstein
