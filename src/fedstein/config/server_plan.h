// SPDX-License-Identifier: Apache-2.0
// The table [server] of a configuration: what `fedstein serve` needs besides the experiment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/algorithm/settings.h"

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
  Index metrics_port = 0;
  Index features = 0;  // of the agents' rows; 0: what is known of the named dataset
  Index classes = 0;
};

// Its keys, with help and defaults.
const std::vector<Setting>& server_settings();

// A configuration with the table [server], taken apart. Line numbers stay what they were in both halves.
struct ServerDocument {
  std::string experiment = {};  // without the table
  std::string server = {};      // the table alone
};
ServerDocument split_server_table(std::string_view document);

// `file` names the document in errors. Throws BadConfiguration with every mistake of the table.
ServerPlan parse_server_plan(const std::string& server_part, const std::string& file);

}  // namespace fedstein
