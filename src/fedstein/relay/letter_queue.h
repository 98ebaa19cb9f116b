// SPDX-License-Identifier: Apache-2.0
// An agent's line when nobody is connected: letters wait for the next message to its node. Private.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "fedstein/exchange/push_line.h"
#include "fedstein/federated/transport.h"

namespace fedstein {

// Wakes whoever carries messages when there may be one.
class RelayBell {
 public:
  void ring();
  // Until it rings, has rung since the last wait, or the time is up.
  void wait_until(Clock::time_point time);

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  bool is_rung_ = false;
};

class LetterQueue : public PushLine {
 public:
  explicit LetterQueue(std::shared_ptr<RelayBell> bell) : bell_(std::move(bell)) {}

  void push(const Letter& letter) override;
  void hang_up() override;

  bool is_closed() const;
  // Whether an agent has something to do: a task, an update to send again, a farewell. Anything else can wait for that.
  bool has_work() const;
  // The letters so far, in their order; a newer word on the same thing stands for the older one.
  std::vector<Letter> take();
  // The upload that the server asks for here has come in with the same answer.
  void forget_wanted(const Attempt& attempt);

 private:
  std::shared_ptr<RelayBell> bell_;
  mutable std::mutex mutex_;  // of everything below
  std::vector<Letter> letters_;
  bool closed_ = false;
};

}  // namespace fedstein
