// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// How long a method's rounds take, by those that it did already: enough to begin with the longest of several jobs, so
// that no core waits for it in the end. Nothing but the order of work depends on it.
class Pace {
 public:
  void note(const std::string& method, Index rounds, double seconds) {
    Seen& seen = seen_[method];
    seen.rounds += static_cast<double>(rounds);
    seen.seconds += seconds;
  }

  // 0 while nothing is known.
  double seconds(const std::string& method, Index rounds) const {
    const auto found = seen_.find(method);
    if (found == seen_.end() || found->second.rounds == 0) return 0;
    return found->second.seconds / found->second.rounds * static_cast<double>(rounds);
  }

 private:
  struct Seen {
    double rounds = 0;
    double seconds = 0;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace fedstein
