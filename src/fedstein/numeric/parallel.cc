// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>

#include "fedstein/base/interruption.h"
#include "fedstein/numeric/check.h"

#if defined(FEDSTEIN_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace fedstein {
namespace {

// oneTBB guarantees an order: a body sees what was written before its loop, and the caller sees what the bodies wrote.
// The thread sanitizer cannot see that inside a library built without it. So under it this file, the only one that sees
// oneTBB, is compiled unwatched, and tells the sanitizer the order of the watched code around it.
#if defined(FEDSTEIN_THREAD_SANITIZER)
char loop_begun, loop_ended;
void before_loop() {
  __tsan_release(&loop_begun);
}
void before_piece() {
  __tsan_acquire(&loop_begun);
}
void after_piece() {
  __tsan_release(&loop_ended);
}
void after_loop() {
  __tsan_acquire(&loop_ended);
}
#else
void before_loop() {}
void before_piece() {}
void after_piece() {}
void after_loop() {}
#endif

}  // namespace

void internal::run_pieces(Index count,
                          Index grain,
                          void (*call)(const void* body, Index begin, Index end),
                          const void* body) {
  check_argument(
      count >= 0, "parallel_for", [&] { return "count is " + std::to_string(count) + "; it must not be negative"; });
  check_argument(
      grain > 0, "parallel_for", [&] { return "grain is " + std::to_string(grain) + "; it must be at least 1"; });
  if (count == 0) return;
  heed_interruption();
  if (count <= grain) return call(body, 0, count);
  before_loop();
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<Index>(0, pieces(count, grain)),
      [=](const oneapi::tbb::blocked_range<Index>& range) {
        for (Index piece = range.begin(); piece != range.end(); ++piece) {
          before_piece();
          call(body, piece * grain, std::min(count, (piece + 1) * grain));
          after_piece();
        }
      },
      oneapi::tbb::simple_partitioner());
  after_loop();
}

class ThreadLimit::Control {
 public:
  explicit Control(std::size_t threads) : control_(oneapi::tbb::global_control::max_allowed_parallelism, threads) {}

 private:
  oneapi::tbb::global_control control_;
};

ThreadLimit::ThreadLimit(int threads) {
  check_argument(threads >= 1, "ThreadLimit", "threads is " + std::to_string(threads) + "; it must be at least 1");
  control_ = std::make_unique<Control>(static_cast<std::size_t>(threads));
}

ThreadLimit::~ThreadLimit() = default;

int available_threads() {
  using oneapi::tbb::global_control;
  return static_cast<int>(global_control::active_value(global_control::max_allowed_parallelism));
}

}  // namespace fedstein
