// SPDX-License-Identifier: Apache-2.0
// How whoever runs a long computation ends it early: every local step of every method asks here. Python's Ctrl-C, for
// one, cannot be noticed in any other way, because the interpreter does nothing while a computation works.
#pragma once

#include <atomic>

namespace fedstein {

// Called from any thread, often, while somebody computes; throws to end the computation. What it throws should not be a
// std::exception: a failed agent is a value to the round loop, and the next round would begin.
using InterruptionCheck = void (*)();

namespace internal {

inline std::atomic<InterruptionCheck> interruption_check = nullptr;

}  // namespace internal

// For the whole process; null, as at the start: nobody asks for an end.
inline void set_interruption_check(InterruptionCheck check) {
  internal::interruption_check.store(check, std::memory_order_release);
}

// Where a computation can end without a trace: between two steps.
inline void heed_interruption() {
  if (const InterruptionCheck check = internal::interruption_check.load(std::memory_order_acquire)) check();
}

}  // namespace fedstein
