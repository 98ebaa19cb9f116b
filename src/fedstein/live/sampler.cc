// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/sampler.h"

#include <utility>

namespace fedstein {
namespace {

constexpr int kMostViewers = 12;  // each holds a thread and a connection
constexpr std::chrono::seconds kPause(1);
// A viewer that has just come waits for nothing; many that come and go do not make the run compute for each of them.
constexpr std::chrono::milliseconds kLeastPause(200);

}  // namespace

Sampler::Sampler(Board& board, std::function<Board::Parts()> parts)
    : board_(board), parts_(std::move(parts)), thread_([this] { run(); }) {}

Sampler::~Sampler() {
  stop();
}

void Sampler::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
  sample();
  board_.close();
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPause, [&] { return viewers_ == 0; });
}

bool Sampler::enter() {
  const std::lock_guard lock(mutex_);
  if (viewers_ >= kMostViewers || stopping_) return false;
  ++viewers_;
  fresh_viewer_ = true;
  changed_.notify_all();
  return true;
}

bool Sampler::has_room() {
  const std::lock_guard lock(mutex_);
  return viewers_ < kMostViewers;
}

void Sampler::leave() {
  const std::lock_guard lock(mutex_);
  --viewers_;
  changed_.notify_all();
}

void Sampler::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait(lock, [&] { return viewers_ > 0 || stopping_; });
    if (stopping_) return;
    fresh_viewer_ = false;
    lock.unlock();
    sample();
    lock.lock();
    changed_.wait_for(lock, kLeastPause, [&] { return stopping_; });
    changed_.wait_for(lock, kPause - kLeastPause, [&] { return stopping_ || fresh_viewer_; });
  }
}

// Nothing that goes wrong in showing a run may end it.
void Sampler::sample() {
  try {
    board_.update(parts_());
  } catch (const std::exception&) {  // told the next time
  }
}

}  // namespace fedstein
