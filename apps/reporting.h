// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/claims.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

// Of a run folder.
inline constexpr const char* kReportName = "report.html";

// UTC, ISO 8601.
std::string now_utc();

// FOLDER/report.html about this run of FOLDER's store; returns its path.
std::string write_run_report(const std::string& folder, const RunResult& result, std::vector<ClaimResult> claims);

}  // namespace fedstein
