// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/letter_queue.h"

#include <algorithm>
#include <utility>

namespace fedstein {
namespace {

bool is_about(const Notice& notice, const Attempt& attempt) {
  return notice.attempt.round == attempt.round && notice.attempt.token == attempt.token;
}

bool replaces(const Letter& newer, const Letter& older) {
  if (newer.index() != older.index()) return false;
  const auto* notice = std::get_if<Notice>(&newer);
  return notice == nullptr || is_about(std::get<Notice>(older), notice->attempt);
}

bool asks_again(const Letter& letter) {
  const auto* notice = std::get_if<Notice>(&letter);
  return notice != nullptr && notice->standing.kind == Standing::Kind::kWanted;
}

}  // namespace

void RelayBell::ring() {
  {
    const std::lock_guard lock(mutex_);
    is_rung_ = true;
  }
  rung_.notify_all();
}

void RelayBell::wait_until(Clock::time_point time) {
  std::unique_lock lock(mutex_);
  rung_.wait_until(lock, time, [&] { return is_rung_; });
  is_rung_ = false;
}

void LetterQueue::push(const Letter& letter) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    const auto older = std::find_if(
        letters_.begin(), letters_.end(), [&](const Letter& waiting) { return replaces(letter, waiting); });
    // A verdict keeps its place before the task that came after it.
    if (older != letters_.end()) {
      *older = letter;
    } else {
      letters_.push_back(letter);
    }
  }
  bell_->ring();
}

void LetterQueue::hang_up() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    letters_.clear();
  }
  bell_->ring();
}

bool LetterQueue::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

bool LetterQueue::has_work() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(letters_.begin(), letters_.end(), [](const Letter& letter) {
    return std::holds_alternative<Offer>(letter) || std::holds_alternative<Farewell>(letter) || asks_again(letter);
  });
}

std::vector<Letter> LetterQueue::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

void LetterQueue::forget_wanted(const Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  std::erase_if(letters_, [&](const Letter& letter) {
    return asks_again(letter) && is_about(std::get<Notice>(letter), attempt);
  });
}

}  // namespace fedstein
