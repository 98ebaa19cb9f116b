// SPDX-License-Identifier: Apache-2.0
// An experiment of a second: ten agents with generated data.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/execute.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

inline constexpr const char* kSmallDocument = R"(
[experiment]
name = "small"
preset = "paper"
dataset = "feature-skew"
partition = "by-column"
agents = 10
trials = 2
seed = 7

[federation]
rounds = 6

[evaluation]
every = 2
ksd = true
particles = "evaluated"

[hyperparameters]
particles = 3
local_steps = 4

[[algorithm]]
type = "dsvgd"

[[algorithm]]
type = "fedavg"

[[algorithm]]
type = "svgd"
)";

inline Plan small_plan(std::vector<std::string> overrides = {}) {
  return parse_plan(kSmallDocument, "small.toml", {.check_data = false, .overrides = std::move(overrides)});
}

// Everything a run's rounds say but how long they took: what must not depend on threads, kills or luck.
using Numbers = std::map<std::tuple<std::string, std::string, Index, Index, std::string>, double>;

inline Numbers numbers_of(const RunResult& result) {
  Numbers numbers;
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      for (const TrialResult& trial : method.trials) {
        for (const RoundRecord& record : trial.rounds) {
          const auto put = [&](const std::string& name, double value) {
            numbers[{case_result.name, method.label, trial.trial, record.round, name}] = value;
          };
          put("bytes_up", static_cast<double>(record.bytes_up));
          put("bytes_down", static_cast<double>(record.bytes_down));
          put("spread", record.spread);
          for (const auto& [name, value] : record.figures) put(name, value);
        }
      }
    }
  }
  return numbers;
}

inline Numbers numbers_of(const std::string& store) {
  return numbers_of(load_results(RunStore(store, RunStore::Mode::kRead)));
}

}  // namespace fedstein
