// SPDX-License-Identifier: Apache-2.0
// Runs as one HTML file: figures, tables and text, with all its data inside. The page itself is web/, built into this
// library; web/src/data.ts is the other half of the contract that report_json fulfils.
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/claims.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/results.h"
#include "fedstein/files/output_rules.h"

namespace fedstein {

// The report's data format; a page refuses newer ones with a sentence.
inline constexpr int kReportFormat = 1;

// Of a run folder.
inline constexpr const char* kReportName = "report.html";

struct ReportedRun {
  const RunStore* store = nullptr;  // that the results were read from; holds reliability bins and densities
  RunResult result = {};
  std::vector<ClaimResult> claims = {};  // checked by the caller; empty: the page has no table of them
  ComparisonOptions comparison = {};     // what `to target` counts to
};

// The data of a page: one run, or several side by side. `generated`: UTC, ISO 8601.
std::string report_json(const std::vector<ReportedRun>& runs, const std::string& generated);

// The page with its data inside. Text in the data cannot end the element it stands in, whatever it says; large data is
// packed, which the page undoes.
std::string report_page(const std::string& json);

// A report may take the place of another one, of nothing else.
WriteOptions report_output();
// The page as a file, which appears when it is complete or not at all. Throws AlreadyThere or WriteError.
void write_report(const std::string& path, const std::string& json, const WriteOptions& options = report_output());

}  // namespace fedstein
