// SPDX-License-Identifier: Apache-2.0
// From a TOML file to a Plan, or to every mistake in it at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/config/plan.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

// One thing that is wrong. As a line: "FILE:LINE: federation.rounds is 0; allowed: an integer of at least 1".
struct Mistake {
  std::string where = {};  // file and line, or "--set"
  std::string key = {};    // federation.rounds; empty: the sentence is about the document
  std::string what = {};   // what goes on after the key: the value, what is wrong, what is allowed
};

// All mistakes of a configuration; what() holds one line each.
class BadConfiguration : public ErrorOf<ErrorKind::kConfiguration> {
 public:
  explicit BadConfiguration(std::vector<Mistake> mistakes);
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

struct ParseOptions {
  std::string data_folder = {};  // where named datasets lie; a missing one is a mistake
  bool check_data = true;        // false: datasets need not be there (a list of experiments, fuzzing)
  bool read_tables = true;       // false: no file is opened to see what its columns mean
  // Of a networked federation: no file is opened, whatever the document says, and [data] may name none besides the
  // dataset, whose path is a name that nobody opens. What an agent reads its own operator says.
  bool networked = false;
  bool quick = false;                       // apply the table [quick]
  std::vector<std::string> overrides = {};  // --set KEY=VALUE, in TOML's own notation of values; bare words are text
  // Only a part of it: cases and methods (labels) that one of the patterns fits, * standing for any text.
  std::vector<std::string> cases = {};
  std::vector<std::string> methods = {};
  // Keys that no case and no method takes are a mistake. Not in what a run has stored: it may be a part.
  bool refuse_idle_keys = true;
  // Of a document that names none. Stored runs of programs that knew no presets are the paper's.
  std::string preset = "fedstein";
  bool own_version = false;   // with fedstein's own settings in place of the paper's: own_version.h
  Index most_cases = 10'000;  // more are a mistake
  // The methods and models that can be named. Borrowed: the plan points into it.
  const Registry* registry = &Registry::standard();
};

// `file` names the document in errors. Throws BadConfiguration.
Plan parse_plan(std::string_view document, const std::string& file, const ParseOptions& options);
Plan load_plan(const std::string& path, const ParseOptions& options);

// JSON Schema (draft 2020-12) of the documents that parse_plan takes, and of the table [server] beside them.
std::string configuration_schema(const Registry& registry = Registry::standard());

// What a run of the plan will take. Bytes: particles or weights to the agents and back; methods that send more than one
// such matrix count once, so it is a bound from below.
struct WorkEstimate {
  Index jobs = 0;  // cases x methods x trials
  Index rounds = 0;
  double local_steps = 0;
  double bytes = 0;
  // Why the estimate leaves something out: columns or agents that are known only when rows are read. Empty: it does
  // not.
  std::string unknown = {};
};
WorkEstimate estimate(const Plan& plan);

// What somebody who wrote the plan may not expect of it, a sentence each: methods that combine several agents and get
// one a round, as the paper's preset has it.
std::vector<std::string> remarks_on(const Plan& plan);

// The resolved plan for people, as --dry-run prints it: its cases, its methods with the settings that are not the
// method's own defaults marked, and the estimate. Aligned, plain text.
std::string describe(const Plan& plan);

}  // namespace fedstein
