// SPDX-License-Identifier: Apache-2.0
// Rounds whose every number follows from job and round, so that a test can tell what belongs where.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fedstein/store/run_store.h"

namespace fedstein {

inline RoundRecord record_of(JobId job, Index round) {
  const double value = std::sin(static_cast<double>(100 * job + round));
  return {.round = round,
          .scheduled = {round % 5, round % 5 + 1},
          .folded = {round % 5},
          .failures = {{.round = round, .agent = round % 5 + 1, .kind = Failure::Kind::kLost, .reason = "gone"}},
          .seconds = value / 3,
          .bytes_down = 1000 * job + round,
          .bytes_up = 3 * round,
          .spread = value / 7,
          .figures = {{"accuracy", value}, {"ksd", value * value}}};
}

inline Particles particles_of(JobId job, Index round) {
  Particles out(3, 4);
  for (Index i = 0; i < out.size(); ++i) {
    out.data()[i] = static_cast<Real>(0.1 * static_cast<double>(i + 10 * round + 100 * job));
  }
  return out;
}

inline std::string state_of(JobId job, Index round) {
  return std::string("state\0of ", 9)  // a NUL inside, as binary states have
         + std::to_string(job) + " at " + std::to_string(round);
}

inline bool same_round(const RoundRecord& a, const RoundRecord& b) {
  return a.round == b.round && a.scheduled == b.scheduled && a.folded == b.folded &&
         a.failures.size() == b.failures.size() && a.seconds == b.seconds && a.bytes_down == b.bytes_down &&
         a.bytes_up == b.bytes_up && a.spread == b.spread && a.figures == b.figures;
}

inline RunFacts facts_named(const std::string& name) {
  RunFacts out;
  out.name = name;
  out.title = "A title with \"quotes\" and an umlaut: \xC3\xA4";
  out.document = "[experiment]\nname = \"x\"\n";
  out.configuration = "{\"trials\":2}";
  out.version = "0.1.0";
  out.precision = kRealName;
  out.seed = std::numeric_limits<std::uint64_t>::max();
  out.host = "{\"cores\":2}";
  out.command = "fedstein run x.toml";
  return out;
}

inline std::vector<JobFacts> jobs_for_trials(Index trials) {
  std::vector<JobFacts> out;
  for (Index trial = 1; trial <= trials; ++trial) {
    out.push_back({.case_name = "twonorm, K = 20", .algorithm = "dsvgd", .trial = trial, .rounds = 30});
  }
  return out;
}

}  // namespace fedstein
