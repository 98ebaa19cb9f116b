// SPDX-License-Identifier: Apache-2.0
// What the run store keeps, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/metrics/reliability_bin.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// The store's file in a run's folder.
inline constexpr const char* kStoreName = "store.sqlite";

class StoreError : public ErrorOf<ErrorKind::kInputOutput> {
 public:
  using ErrorOf::ErrorOf;
};

// The detail of a networked federation's job that names its agents: a JSON array.
inline constexpr const char* kAgentNamesDetail = "agents";

using RunId = std::int64_t;
using JobId = std::int64_t;

struct RunFacts {
  std::string name = {};
  std::string title = {};
  std::string document = {};       // the configuration, TOML: enough to resume
  std::string configuration = {};  // resolved, JSON
  std::string version = {};        // of fedstein
  std::string precision = {};      // float or double
  std::uint64_t seed = 0;
  std::string host = {};     // JSON: cores, processor, system
  std::string command = {};  // that reproduces the run
};

// One method, one case, one trial.
struct JobFacts {
  std::string case_name = {};
  std::string algorithm = {};  // its label
  Index trial = 0;             // 1, 2, ...
  Index rounds = 0;
  bool centralised = false;
};

enum class JobStatus { kWaiting, kDone, kFailed };

struct StoredRun {
  RunId id = 0;
  RunFacts facts = {};
  std::string started = {};   // UTC, ISO 8601
  std::string finished = {};  // empty: not finished
};

struct StoredJob {
  JobId id = 0;
  JobFacts facts = {};
  JobStatus status = JobStatus::kWaiting;
  std::string error = {};
};

struct Checkpoint {
  Index round = 0;
  std::string state = {};
};

struct StoredReliability {
  Index round = 0;
  std::vector<ReliabilityBin> bins = {};
};

}  // namespace fedstein
