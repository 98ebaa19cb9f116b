// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "fedstein/live/board.h"

namespace fedstein {

// Puts onto the board what there is to show, once a second while somebody looks: one thread for all viewers, so that
// many of them cost the run no more than one.
class Sampler {
 public:
  Sampler(Board& board, std::function<Board::Parts()> parts);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Whether there is room for one viewer more; then leave() is called for it.
  bool enter();
  bool has_room();
  void leave();
  // Shows the last state, closes the board, and gives viewers a moment to take it.
  void stop();

 private:
  void run();
  void sample();

  Board& board_;
  std::function<Board::Parts()> parts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int viewers_ = 0;
  bool fresh_viewer_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace fedstein
