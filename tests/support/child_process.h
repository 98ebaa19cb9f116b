// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fedstein {

// A program of our own that a test starts, kills and waits for; killed with the object at the latest.
class ChildProcess {
 public:
  // Output goes to the file `log`, appended.
  ChildProcess(const std::vector<std::string>& command, const std::string& log) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("ChildProcess: cannot fork");
    if (pid_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that dies takes its children along
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execvp(words[0], words.data());
    _exit(127);
  }
  ChildProcess(ChildProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), status_(std::exchange(other.status_, std::nullopt)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(status_, other.status_);
    return *this;
  }
  ~ChildProcess() {
    if (pid_ > 0 && !status_) {
      send(SIGKILL);
      wait();
    }
  }

  void send(int signal) const { kill(pid_, signal); }
  pid_t pid() const { return pid_; }
  // Exit code, or minus the signal that ended it.
  int wait() {
    while (!poll(0)) {
    }
    return *status_;
  }
  // Nothing while it runs.
  std::optional<int> poll(int options = WNOHANG) {
    int status = 0;
    if (status_) return status_;
    if (waitpid(pid_, &status, options) == pid_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return status_;
  }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace fedstein
