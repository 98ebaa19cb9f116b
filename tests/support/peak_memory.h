// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

namespace fedstein {

inline long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
  }
  throw std::runtime_error("resident_kib: /proc/self/status has no VmRSS");
}

// By how many bytes a process grows at most while it does this: in a child, whose peak is its own. Negative when the
// child ended in another way than by returning.
inline long peak_growth(const std::function<void()>& work) {
  int line[2] = {-1, -1};
  if (pipe(line) != 0) throw std::runtime_error("peak_growth: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("peak_growth: cannot fork");
  if (child == 0) {
    const long before = resident_kib();
    work();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const long growth = (usage.ru_maxrss - before) * 1024;
    _exit(write(line[1], &growth, sizeof growth) == sizeof growth ? 0 : 1);
  }
  ::close(line[1]);
  long growth = -1;
  const bool told = read(line[0], &growth, sizeof growth) == sizeof growth;
  ::close(line[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return told && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? growth : -1;
}

}  // namespace fedstein
