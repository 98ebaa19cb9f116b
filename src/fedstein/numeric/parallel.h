// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Calls body(begin, end) for consecutive pieces of `grain` elements that cover 0..count, the last one shorter, spread
// over the threads. The pieces depend on count and grain alone, so a body that writes only what belongs to its piece
// gives the same bits whatever the number of threads. Sums across pieces: store one partial result per piece and add
// them in order afterwards. An exception in a body is rethrown here.
void parallel_for(Index count, Index grain, const std::function<void(Index begin, Index end)>& body);

// The number of pieces that parallel_for(count, grain, ...) makes.
inline Index pieces(Index count, Index grain) {
  return (count + grain - 1) / grain;
}

// While alive, at most `threads` threads work at a time in this process (of several limits, the lowest counts).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  class Control;
  std::unique_ptr<Control> control_;
};

int available_threads();

}  // namespace fedstein
