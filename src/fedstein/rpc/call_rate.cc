// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/call_rate.h"

#include <algorithm>

namespace fedstein {

bool CallRate::allows(Index agent, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Bucket& bucket = buckets_.try_emplace(agent, Bucket{at_once_, now}).first->second;
  const double since = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.calls = std::min(at_once_, bucket.calls + per_second_ * std::max(0.0, since));
  bucket.filled = now;
  if (bucket.calls < 1) return false;
  bucket.calls -= 1;
  return true;
}

}  // namespace fedstein
