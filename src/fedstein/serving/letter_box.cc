// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/letter_box.h"

#include <utility>

namespace fedstein {
namespace {

// A server sends no more than a few before it is answered. One that does waits, as it would without this box.
constexpr std::size_t kMostLetters = 4;

}  // namespace

LetterBox::LetterBox(AgentLink& link, std::function<void()> on_beat_request)
    : link_(link), on_beat_request_(std::move(on_beat_request)), reader_([this] { read(); }) {}

LetterBox::~LetterBox() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  link_.drop_line();
  reader_.join();
}

Letter LetterBox::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !letters_.empty() || end_; });
  if (letters_.empty()) std::rethrow_exception(end_);
  Letter letter = std::move(letters_.front());
  letters_.pop_front();
  changed_.notify_all();
  return letter;
}

void LetterBox::read() {
  try {
    for (;;) {
      Letter letter = link_.next();
      if (std::holds_alternative<BeatRequest>(letter)) {
        on_beat_request_();
        continue;
      }
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return letters_.size() < kMostLetters || closing_; });
      if (closing_) return;
      letters_.push_back(std::move(letter));
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    end_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace fedstein
