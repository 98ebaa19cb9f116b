// SPDX-License-Identifier: Apache-2.0
// An agent's letters, read while it works: however long a round takes, a server that asks for a heartbeat gets it.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "fedstein/exchange/agent_link.h"

namespace fedstein {

class LetterBox {
 public:
  // Of a line that is open. Borrows the link. on_beat_request is called from a thread of this object's own, and must
  // not throw.
  LetterBox(AgentLink& link, std::function<void()> on_beat_request);
  // Gives the line up.
  ~LetterBox();
  LetterBox(const LetterBox&) = delete;
  LetterBox& operator=(const LetterBox&) = delete;

  // Waits for the next letter; throws what the link's next() has thrown, after the letters that came before.
  Letter next();

 private:
  void read();

  AgentLink& link_;
  std::function<void()> on_beat_request_;
  std::mutex mutex_;  // of the four below
  std::condition_variable changed_;
  std::deque<Letter> letters_;
  std::exception_ptr end_;
  bool closing_ = false;
  std::thread reader_;
};

}  // namespace fedstein
