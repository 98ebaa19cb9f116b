// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fedstein/experiment/execute.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

std::string host_facts() {
  utsname names{};
  const bool known = uname(&names) == 0;
  const nlohmann::json facts = {{"processor", processor()},
                                {"threads", available_threads()},
                                {"system", known ? std::string(names.sysname) + " " + names.release : "unknown"},
                                {"machine", known ? names.machine : "unknown"}};
  return facts.dump();
}

}  // namespace fedstein
