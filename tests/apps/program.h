// SPDX-License-Identifier: Apache-2.0
// The program under test.
#pragma once

#include <string>
#include <vector>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {

inline std::vector<std::string> program(const std::vector<std::string>& arguments) {
  std::vector<std::string> out = {FEDSTEIN_PROGRAM};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

// Runs it to its end in the folder.
inline Finished fedstein_in(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  return run_process(program(arguments), folder.path("."));
}

}  // namespace fedstein
