// SPDX-License-Identifier: Apache-2.0
// Small runs on disk, and the report's data of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiment/small_experiment.h"
#include "fedstein/report/report.h"
#include "support/temporary_folder.h"

namespace fedstein {

class FinishedRun {
 public:
  explicit FinishedRun(const Plan& plan) : store_(folder_.path("store"), RunStore::Mode::kWrite) {
    const RunId run = begin_run(plan, store_, "fedstein run small.toml");
    DataShelf shelf("");
    execute(plan, store_, run, shelf, {.threads = 2, .posterior_folder = folder_.path("posteriors")});
  }

  const RunStore& store() const { return store_; }
  RunResult result() const { return load_results(store_); }
  std::string text(const std::vector<ClaimResult>& claims = {}) const {
    return report_json({{.store = &store_, .result = result(), .claims = claims}}, "2025-03-01T12:00:00Z");
  }
  nlohmann::json json() const { return nlohmann::json::parse(text())["runs"][0]; }

 private:
  TemporaryFolder folder_;
  RunStore store_;
};

}  // namespace fedstein
