// SPDX-License-Identifier: Apache-2.0
// One participant of a test federation as a process of its own, so that a test can kill it:
//
//   federation_process server ALGORITHM AGENTS ROUNDS STATE CERTIFICATES PORT_FILE
//   federation_process agent  ALGORITHM AGENTS ROUNDS STATE CERTIFICATES ADDRESS NUMBER [replays]
//   federation_process crowd  ALGORITHM AGENTS ROUNDS STATE CERTIFICATES ADDRESS     all agents, a thread each
//
// ALGORITHM may be followed by ,PARTICLES,INPUTS, or by @SCHEDULE@FRACTION@SETTING as in TestCase. The server's
// certificate and that of agent NUMBER are taken from the folder CERTIFICATES.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>
#include <tuple>

#include "rpc/test_federation.h"

namespace fedstein {
namespace {

// The port appears as a whole, or not at all.
void tell_port(const std::string& file, int port) {
  std::ofstream(file + "-new") << port << std::flush;
  std::rename((file + "-new").c_str(), file.c_str());
}

// The most memory that this process ever had, in MiB.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

void print_summary(const ServeResult& result) {
  std::int64_t bytes = 0;
  for (const AgentStatus& agent : result.status.agents) bytes += agent.bytes_in + agent.bytes_out;
  double seconds = 0;
  for (const RoundRecord& record : result.records) seconds += record.seconds;
  std::cout << "rounds " << result.records.size() << " seconds " << seconds << " payload "
            << result.status.payload_up + result.status.payload_down << " wire " << bytes << " memory " << peak_memory()
            << std::endl;
}

void run_crowd(const TestCase& which, const std::vector<std::string>& words) {
  std::vector<std::thread> agents;
  for (Index k = 0; k < which.agents; ++k) {
    agents.emplace_back([&, k] {
      run_agent({.which = which,
                 .agent = k,
                 .server = words.at(6),
                 .state = words.at(4) + std::to_string(k),
                 .certificates = words.at(5),
                 .most_backoff_seconds = 1});
    });
  }
  for (std::thread& agent : agents) agent.join();
}

TestCase case_of(const std::vector<std::string>& words) {
  std::istringstream parts(words.at(1));
  TestCase which{.algorithm = {}, .agents = std::stol(words.at(2)), .rounds = std::stol(words.at(3))};
  std::getline(parts, which.algorithm, ',');
  if (const std::size_t at = which.algorithm.find('@'); at != std::string::npos) {
    std::istringstream rest(which.algorithm.substr(at + 1));
    which.algorithm.resize(at);
    std::string fraction;
    std::getline(rest, which.schedule, '@');
    std::getline(rest, fraction, '@');
    std::getline(rest, which.setting);
    which.fraction = std::stod(fraction);
  }
  char comma = 0;
  parts >> which.particles >> comma >> which.inputs;
  if (!parts) std::tie(which.particles, which.inputs) = std::pair(TestCase().particles, TestCase().inputs);
  return which;
}

int run(const std::vector<std::string>& words) {
  const TestCase which = case_of(words);
  if (words[0] == "server") {
    // A lease that a loaded machine does not lose by accident, yet short enough that a killed agent's runs out.
    print_summary(serve({.which = which,
                         .state = words.at(4),
                         .certificates = words.at(5),
                         .lease_seconds = which.agents > 10 ? 60.0 : 2.0,
                         .linger = 300,
                         .on_serving = [&](int port, ServerDesk&) { tell_port(words.at(6), port); },
                         .on_event = [](const std::string& line) { std::cerr << line + "\n"; }}));
    return 0;
  }
  if (words[0] == "crowd") {
    run_crowd(which, words);
    return 0;
  }
  run_agent({.which = which,
             .agent = std::stol(words.at(7)),
             .server = words.at(6),
             .state = words.at(4),
             .certificates = words.at(5),
             .replays = words.size() > 8,
             .most_backoff_seconds = 0.1});
  return 0;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return fedstein::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "federation_process: " << error.what() << "\n";
    return 70;
  }
}
