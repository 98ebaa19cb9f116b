// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace fedstein {

// While alive, Ctrl-C and SIGTERM ask for a stop that can be resumed instead of ending the program. A second Ctrl-C
// ends it at once. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  const std::atomic<bool>& requested() const;
};

}  // namespace fedstein
