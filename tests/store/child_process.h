// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A process of the test's own that tells numbers through a pipe, so that its parent can wait for events instead of
// time. The parent must not have a store open, nor threads, when it makes one.
class ChildProcess {
 public:
  using Tell = std::function<void(Index)>;
  explicit ChildProcess(const std::function<void(const Tell&)>& body) {
    int ends[2] = {};
    if (pipe(ends) != 0) throw std::runtime_error("ChildProcess: no pipe");
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("ChildProcess: no fork");
    if (process_ == 0) {
      close(ends[0]);
      _exit(run(body, ends[1]));
    }
    close(ends[1]);
    pipe_ = ends[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}
  ~ChildProcess() {
    if (process_ > 0) {
      kill_now();
      wait();
    }
    if (pipe_ >= 0) close(pipe_);
  }

  // The next number it tells; none once it is gone.
  std::optional<Index> hear() const {
    Index value = 0;
    const ssize_t got = read(pipe_, &value, sizeof value);
    return got == static_cast<ssize_t>(sizeof value) ? std::optional(value) : std::nullopt;
  }
  void kill_now() const { kill(process_, SIGKILL); }
  // Its exit code; -1 when a signal ended it.
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static int run(const std::function<void(const Tell&)>& body, int pipe_end) {
    try {
      body([&](Index value) {
        if (write(pipe_end, &value, sizeof value) != static_cast<ssize_t>(sizeof value)) _exit(3);
      });
      return 0;
    } catch (const std::exception& error) {
      std::cerr << "child process: " << error.what() << '\n';
      return 1;
    }
  }

  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace fedstein
