// SPDX-License-Identifier: Apache-2.0
// Documents of the tests, and parsing without data files.
#pragma once

#include <string>

#include "fedstein/config/parse.h"

namespace fedstein {

inline ParseOptions without_data() {
  ParseOptions options;
  options.check_data = false;
  return options;
}

inline Plan parsed(const std::string& document, const ParseOptions& options = without_data()) {
  return parse_plan(document, "test.toml", options);
}

// An experiment on this dataset with these further lines.
inline std::string experiment(const std::string& dataset, const std::string& more = "") {
  return "[experiment]\nname = \"test\"\ndataset = \"" + dataset + "\"\nagents = 2\n" + more;
}

// The same with the paper's settings.
inline std::string paper_experiment(const std::string& dataset, const std::string& more = "") {
  return experiment(dataset, "preset = \"paper\"\n" + more);
}

// What parse_plan says is wrong, line by line; empty when nothing is.
inline std::string complaints(const std::string& document, const ParseOptions& options = without_data()) {
  try {
    parsed(document, options);
  } catch (const BadConfiguration& error) {
    return error.what();
  }
  return "";
}

inline const AlgorithmPlan& method(const CasePlan& plan, const std::string& label) {
  for (const AlgorithmPlan& each : plan.algorithms) {
    if (each.label == label) return each;
  }
  throw std::out_of_range("no method " + label + " in " + plan.name);
}

}  // namespace fedstein
