// SPDX-License-Identifier: Apache-2.0
// What a listener of the live page answers, and to whom.
#pragma once

#include <httplib.h>

#include <map>
#include <string>

#include "fedstein/live/board.h"
#include "fedstein/live/live_page.h"
#include "fedstein/live/sampler.h"
#include "fedstein/live/viewer_trust.h"

namespace fedstein {

// Borrowed for as long as the listener lives.
struct LiveRoutes {
  const Board* board = nullptr;
  Sampler* sampler = nullptr;
  const ViewerToken* token = nullptr;
  const std::map<std::string, LiveText>* texts = nullptr;
  bool tls = false;
};

void add_live_routes(httplib::Server& http, const LiveRoutes& live);

}  // namespace fedstein
