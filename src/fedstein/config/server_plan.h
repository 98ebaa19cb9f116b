// SPDX-License-Identifier: Apache-2.0
// The table [server] of a configuration: what `fedstein serve` needs besides the experiment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/config/parse.h"

namespace fedstein {

struct ServerPlan {
  std::string address = {};      // HOST:PORT; port 0: any
  std::string state = {};        // folder of the journal and the run store
  std::string certificate = {};  // files; empty with --insecure
  std::string key = {};
  std::string authority = {};
  std::string revocations = {};
  std::vector<std::string> agents = {};  // names in their certificates; empty: agent-0, agent-1, ...
  double lease_seconds = 30;
  double deadline_seconds = 600;  // of a round; 0: none
  double quorum = 0;
  bool skips_lapsed = false;
  double norm_bound = 0;
  double update_bound = 1000;
  Index most_rows = 10000000;  // of one agent
  double linger_seconds = 60;
  Index metrics_port = 0;            // 0: any free one
  std::string live_address = {};     // HOST:PORT; empty: the live page is on loopback alone
  std::string live_token_file = {};  // empty: whoever is on this machine may look
  Index features = 0;                // of the agents' rows; 0: what is known of the named dataset
  Index classes = 0;
};

// Its keys, with help and defaults.
const std::vector<Setting>& server_settings();

// A configuration for `fedstein serve`: an experiment, and the table [server] beside it where there is one.
struct ServedPlan {
  Plan plan = {};
  ServerPlan server = {};
};
// `file` names the document in errors. Throws BadConfiguration with every mistake of both.
ServedPlan parse_served_plan(std::string_view document, const std::string& file, const ParseOptions& options);
// The table [server] alone, of a document that may have mistakes: what is wrong or absent has its default.
ServerPlan server_table_of(std::string_view document);

}  // namespace fedstein
