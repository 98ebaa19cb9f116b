// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Calls body(begin, end) for consecutive pieces of `grain` elements that cover 0..count, the last one shorter, spread
// over the threads. The pieces depend on count and grain alone, so a body that writes only what belongs to its piece
// gives the same bits whatever the number of threads. Sums across pieces: store one partial result per piece and add
// them in order afterwards. An exception in a body is rethrown here.
template <typename Body>
void parallel_for(Index count, Index grain, const Body& body);

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

namespace internal {

// The part of parallel_for that needs the scheduler: a plain function and its context, because a std::function with
// more than two captured references would allocate on every call.
void run_pieces(Index count, Index grain, void (*call)(const void* body, Index begin, Index end), const void* body);

}  // namespace internal

template <typename Body>
void parallel_for(Index count, Index grain, const Body& body) {
  static_assert(std::is_invocable_v<const Body&, Index, Index>, "body must be callable as body(begin, end)");
  internal::run_pieces(
      count,
      grain,
      [](const void* context, Index begin, Index end) { (*static_cast<const Body*>(context))(begin, end); },
      &body);
}

}  // namespace fedstein
