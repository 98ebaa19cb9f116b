// SPDX-License-Identifier: Apache-2.0
// The live pages of `fedstein serve` and `fedstein run --live`.
#pragma once

#include <memory>
#include <string>

#include "fedstein/live/followed_run.h"
#include "fedstein/live/live_page.h"
#include "fedstein/live/live_run.h"
#include "fedstein/network/network_server.h"
#include "server_report.h"

namespace fedstein {

// What a server tells about itself at this moment.
ServerReport report_of(const NetworkServer& network, const LiveRun& run);

// The page of a federation: from now on it hears of every round. Both are borrowed for as long as the page is there.
std::unique_ptr<LivePage> federation_page(NetworkServer& network, const std::shared_ptr<LiveRun>& run);

// The page of a run, with its curves so far.
struct RunPageOptions {
  std::string folder = {};
  int port = 0;  // 0: any, that of the last time where it can be had
  std::string token_file = {};
};
std::unique_ptr<LivePage> run_page(const RunPageOptions& options, const std::shared_ptr<LiveRun>& run);

// The page of a run that another process writes. Borrows it for as long as the page is there.
std::unique_ptr<LivePage> followed_page(const RunPageOptions& options, FollowedRun& run);

}  // namespace fedstein
