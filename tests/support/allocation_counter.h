// SPDX-License-Identifier: Apache-2.0
// Counts what a test program allocates: link allocation_counter.cc, which puts itself in front of malloc.
#pragma once

namespace fedstein {

// So far, by all threads.
long allocations_so_far();

// False where a sanitizer owns malloc.
bool can_count_allocations();

}  // namespace fedstein
