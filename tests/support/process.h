// SPDX-License-Identifier: Apache-2.0
// Real processes: run to their end with their output, or started, signalled and waited for.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fedstein {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A child process whose output goes to files. Killed when it is still alive at the end.
class Process {
 public:
  // arguments[0] is the program. `folder`: its working folder and the place of its output.
  Process(const std::vector<std::string>& arguments, const std::string& folder, const std::string& name = "process")
      : out_(folder + "/" + name + ".out"), error_(folder + "/" + name + ".err") {
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ > 0) return;
    std::vector<char*> words;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    redirect(out_, STDOUT_FILENO);
    redirect(error_, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(126);
    execv(words[0], words.data());
    _exit(127);
  }
  ~Process() {
    if (running()) {
      signal(SIGKILL);
      wait();
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const { kill(child_, number); }
  bool running() {
    if (ended_) return false;
    const pid_t got = waitpid(child_, &status_, WNOHANG);
    ended_ = got == child_;
    return !ended_;
  }
  // The exit code; 128 + signal for one that was killed.
  int wait() {
    if (!ended_) waitpid(child_, &status_, 0);
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }
  std::string output() const { return read_text(out_); }
  std::string errors() const { return read_text(error_); }
  pid_t id() const { return child_; }

 private:
  static void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) _exit(125);
    dup2(file, descriptor);
    close(file);
  }

  std::string out_;
  std::string error_;
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

struct Finished {
  int code = 0;
  std::string output = {};
  std::string errors = {};
};

inline Finished run_process(const std::vector<std::string>& arguments, const std::string& folder) {
  Process process(arguments, folder);
  const int code = process.wait();
  return {code, process.output(), process.errors()};
}

}  // namespace fedstein
