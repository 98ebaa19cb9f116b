// SPDX-License-Identifier: Apache-2.0
// Another program, run to its end and measured from outside.
#pragma once

#include <string>
#include <vector>

namespace fedstein {

struct Usage {
  double seconds = 0;       // elapsed
  double cpu_seconds = 0;   // user and system, with the children it waited for
  std::string output = {};  // what it wrote to standard output
};

// Standard error goes where ours goes. Throws when the program cannot be started or ends with another status than 0.
Usage run_child(const std::vector<std::string>& command);

}  // namespace fedstein
