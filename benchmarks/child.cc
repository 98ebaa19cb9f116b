// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

namespace fedstein {
namespace {

constexpr int kNotStarted = 127;  // as a shell reports it

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

[[noreturn]] void become(const std::vector<std::string>& command, int output) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));  // execvp's old signature
  words.push_back(nullptr);
  dup2(output, STDOUT_FILENO);
  execvp(words.front(), words.data());
  _exit(kNotStarted);
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> block;
  while (true) {
    const ssize_t count = read(from, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("a child's output");
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Usage run_child(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    become(command, ends[1]);
  }
  close(ends[1]);
  Usage usage;
  usage.output = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage resources{};
  while (wait4(child, &status, 0, &resources) < 0) {
    if (errno != EINTR) fail("wait4");
  }
  usage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  usage.cpu_seconds = seconds_of(resources.ru_utime) + seconds_of(resources.ru_stime);
  if (status != 0) {
    throw std::runtime_error(command.front() + " ended with status " +
                             std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)) +
                             "; it must end with 0");
  }
  return usage;
}

}  // namespace fedstein
