// SPDX-License-Identifier: Apache-2.0
// The program under test.
#pragma once

#include <string>
#include <vector>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {

inline std::vector<std::string> program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), FEDSTEIN_PROGRAM);
  return arguments;
}

// Runs it to its end in the folder.
inline Finished fedstein_in(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  return run_process(program(std::move(arguments)), folder.path("."));
}

}  // namespace fedstein
