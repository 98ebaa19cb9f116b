// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/descriptor_limit.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace fedstein {
namespace {

int whole(rlim_t limit) {
  constexpr auto kMost = static_cast<rlim_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(limit, kMost));
}

}  // namespace

int raise_descriptor_limit(int needed) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return needed;
  const auto wanted = static_cast<rlim_t>(needed);
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  return descriptor_limit();
}

int descriptor_limit() {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? whole(limit.rlim_cur) : std::numeric_limits<int>::max();
}

int next_descriptor(const Descriptor& any) {
  const Descriptor lowest(fcntl(any.number(), F_DUPFD_CLOEXEC, 0));
  return lowest.open() ? lowest.number() : descriptor_limit();
}

}  // namespace fedstein
