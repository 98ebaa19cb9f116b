// SPDX-License-Identifier: Apache-2.0
#include "output_option.h"

#include <CLI/CLI.hpp>

namespace fedstein {

void add_force_option(CLI::App& verb, bool& force) {
  verb.add_flag("--force", force, "replace the output file, whatever it contains");
}

WriteOptions output_rules(bool force, std::vector<std::string> inputs, WriteOptions rules) {
  if (force) rules.replacing = Replacing::kAnything;
  rules.inputs = std::move(inputs);
  rules.way_out = "--force replaces it, or name another file";
  return rules;
}

}  // namespace fedstein
