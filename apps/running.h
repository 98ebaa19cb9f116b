// SPDX-License-Identifier: Apache-2.0
// What `run` and `reproduce` share: a run with its progress, its warnings and its report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/experiment/claims.h"
#include "fedstein/experiment/conduct.h"

namespace fedstein {

// A live page beside the run.
struct LiveRequest {
  bool wanted = false;
  int port = 0;  // 0: any
  std::string token_file = {};
};

// The run, or nothing when it was interrupted; what to do then has been said on stderr.
std::optional<ConductedRun> perform(RunRequest request, const LiveRequest& live = {});

// FOLDER/report.html about this run; returns its path.
std::string write_run_report(const std::string& folder, const ConductedRun& run, std::vector<ClaimResult> claims);

}  // namespace fedstein
