// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch_status.h"

namespace fedstein {

struct WatchOptions {
  bool json = false;  // one document a line
  double every = 1;   // seconds
};

// The live page as text, until the server is done or Ctrl-C: drawn again and again on a terminal, lines of what has
// changed elsewhere. A server that does not answer is asked again; it must answer once.
void watch_status(const LivePlace& place, const WatchOptions& options);

}  // namespace fedstein
