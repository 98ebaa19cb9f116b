// SPDX-License-Identifier: Apache-2.0
#include "reporting.h"

#include <array>
#include <chrono>
#include <ctime>

#include "fedstein/report/report.h"
#include "run_choice.h"

namespace fedstein {

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string write_run_report(const std::string& folder, const RunResult& result, std::vector<ClaimResult> claims) {
  const RunStore store(store_path(folder), RunStore::Mode::kRead);
  std::vector<ReportedRun> runs;
  runs.push_back({.store = &store, .result = result, .claims = std::move(claims)});
  std::string path = folder + "/" + kReportName;
  write_report(path, report_json(runs, now_utc()));
  return path;
}

}  // namespace fedstein
