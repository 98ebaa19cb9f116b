// SPDX-License-Identifier: Apache-2.0
#include "support/allocation_counter.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Eigen allocates through malloc or its aligned kin, which glibc lets us wrap by interposition; counting there also
// sees every operator new. The originals are reached through their internal names.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT: glibc's own names
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
#endif
}

namespace fedstein {

long allocations_so_far() {
  return allocations.load();
}

bool can_count_allocations() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

}  // namespace fedstein
