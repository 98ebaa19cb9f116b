// SPDX-License-Identifier: Apache-2.0
// From a TOML file to a Plan, or to every mistake in it at once.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/config/plan.h"

namespace fedstein {

// One thing that is wrong: "FILE:LINE: KEY = VALUE: what is wrong; what is allowed".
struct Mistake {
  std::string where = {};  // file and line, or "--set"
  std::string key = {};    // federation.rounds
  std::string what = {};   // the sentence
};

// All mistakes of a configuration; what() holds one line each.
class BadConfiguration : public std::runtime_error {
 public:
  explicit BadConfiguration(std::vector<Mistake> mistakes);
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

struct ParseOptions {
  std::string data_folder = {};             // where named datasets lie; a missing one is a mistake
  bool check_data = true;                   // false: datasets need not be there (--dry-run on another machine, fuzzing)
  bool quick = false;                       // apply the table [quick]
  std::vector<std::string> overrides = {};  // --set KEY=VALUE, in TOML's own notation of values; bare words are text
};

// `file` names the document in errors. Throws BadConfiguration.
Plan parse_plan(std::string_view document, const std::string& file, const ParseOptions& options);
Plan load_plan(const std::string& path, const ParseOptions& options);

// JSON Schema (draft 2020-12) of the documents that parse_plan takes, from the same definitions.
std::string configuration_schema();

// What a run of the plan will take, for --dry-run: jobs, rounds, local steps, bytes exchanged, numbers held.
struct WorkEstimate {
  Index jobs = 0;
  Index rounds = 0;
  double local_steps = 0;
  double bytes = 0;
};
WorkEstimate estimate(const Plan& plan);

}  // namespace fedstein
