// SPDX-License-Identifier: Apache-2.0
// A server in a process of its own, to be attacked, and the agents that want its run to be finished all the same.
#pragma once

#include <dirent.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>

#include "rpc/test_federation.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {

class ServerProcess {
 public:
  enum class Trust { kCertificates, kNone };
  // descriptors: as many as the process may have.
  ServerProcess(const TestCase& which, int descriptors, Trust trust = Trust::kCertificates) : which_(which) {
    if (trust == Trust::kCertificates) {
      certificates_ = folder_.path("ca");
      make_certificates(certificates_, which.agents + 1);  // the last one is no agent of the federation
    }
    std::vector<std::string> limited = {
        "/bin/sh", "-c", "ulimit -n " + std::to_string(descriptors) + " && GRPC_VERBOSITY=ERROR exec \"$0\" \"$@\""};
    for (const std::string& word : command("server", folder_.path("port"))) limited.push_back(word);
    process_ = std::make_unique<Process>(limited, folder_.path("."), "server");
    while (process_->running() && !(std::ifstream(folder_.path("port")) >> port_)) std::this_thread::yield();
  }

  int port() const { return port_; }
  const std::string& certificates() const { return certificates_; }
  // The agents' exit code, when they and the server have finished the run; -1: not within a minute.
  int finish_run() {
    Process agents(command("crowd", "127.0.0.1:" + std::to_string(port_)), folder_.path("."), "crowd");
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while ((agents.running() || process_->running()) && std::chrono::steady_clock::now() < limit) {
      most_threads_ = std::max(most_threads_, threads());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (agents.running() || process_->running()) return -1;
    return agents.wait() + process_->wait();
  }
  std::size_t descriptors() const {
    std::size_t count = 0;
    DIR* folder = opendir(("/proc/" + std::to_string(process_->id()) + "/fd").c_str());
    while (folder != nullptr && readdir(folder) != nullptr) ++count;
    if (folder != nullptr) closedir(folder);
    return count;
  }
  // The most memory that it ever had, in MiB.
  double peak_memory() const { return figure("VmHWM:") / 1024; }
  double threads() const { return figure("Threads:"); }
  double most_threads() const { return most_threads_; }  // while the run was finished
  bool running() { return process_->running(); }
  std::string said() const { return process_->errors(); }

 private:
  double figure(const std::string& name) const {
    std::ifstream status("/proc/" + std::to_string(process_->id()) + "/status");
    for (std::string word; status >> word;) {
      double number = 0;
      if (word == name && status >> number) return number;
    }
    return 0;
  }
  std::vector<std::string> command(const std::string& role, const std::string& last) const {
    return {FEDSTEIN_FEDERATION_PROCESS,
            role,
            which_.algorithm + "," + std::to_string(which_.particles) + "," + std::to_string(which_.inputs),
            std::to_string(which_.agents),
            std::to_string(which_.rounds),
            folder_.path(role + "-"),
            certificates_,
            last};
  }

  TestCase which_;
  TemporaryFolder folder_;
  std::string certificates_;  // folder
  std::unique_ptr<Process> process_;
  int port_ = 0;
  double most_threads_ = 0;
};

}  // namespace fedstein
