// SPDX-License-Identifier: Apache-2.0
// What run and reproduce share of their command lines.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fedstein {

// The text as one word of a shell.
std::string shell_quoted(const std::string& text);

// --case and --method: a part of an experiment.
void add_selection(CLI::App& verb, std::vector<std::string>& cases, std::vector<std::string>& methods);

}  // namespace fedstein
