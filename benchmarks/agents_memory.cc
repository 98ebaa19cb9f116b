// SPDX-License-Identifier: Apache-2.0
#include "agents_memory.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "child.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/model/logistic_regression.h"

namespace fedstein {
namespace {

constexpr Index kRows = 4;        // of each agent
constexpr Index kInputs = 54;     // Covertype's
constexpr Index kParticles = 6;   // the paper's
constexpr Index kLocalSteps = 5;  // memory does not depend on their number

// A line of the kernel's account of this process, in bytes.
double process_memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return std::stod(line.substr(key.size() + 1)) * 1024;
  }
  throw std::runtime_error("/proc/self/status has no line " + key + "; this benchmark needs Linux");
}

class Silent : public Observer {
 public:
  Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
};

}  // namespace

AgentsMemory measure_agents(Index agents) {
  const Matrix x = Matrix::Random(agents * kRows, kInputs);
  Vector y(x.rows());
  for (Index i = 0; i < y.size(); ++i) y(i) = x(i, 0) > 0 ? 1 : -1;
  std::vector<Batch> shards;
  for (Index k = 0; k < agents; ++k) shards.push_back(Batch{x, y}.middle_rows(k * kRows, kRows));
  const LogisticRegression model(kInputs);
  const Algorithm algorithm = dsvgd_algorithm();
  Settings settings(algorithm.settings);
  settings.set("particles", kParticles);
  settings.set("local_steps", kLocalSteps);
  settings.set("batch", kRows);

  AgentsMemory result;
  result.start_bytes = process_memory("VmRSS");
  Federation federation(algorithm, settings, model, shards, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  Silent observer;
  const auto start = std::chrono::steady_clock::now();
  coordinate(federation.server(), RoundRobin(agents), transport, observer, {.rounds = agents});
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.grown_bytes = process_memory("VmHWM") - result.start_bytes;
  return result;
}

void print_agents(Index agents) {
  const AgentsMemory memory = measure_agents(agents);
  const nlohmann::json line = {
      {"start_bytes", memory.start_bytes}, {"grown_bytes", memory.grown_bytes}, {"seconds", memory.seconds}};
  std::printf("%s\n", line.dump().c_str());
}

AgentsMemory measure_agents_apart(const std::string& program, Index agents) {
  const auto line = nlohmann::json::parse(run_child({program, "--agents", std::to_string(agents)}).output);
  return {line.at("start_bytes"), line.at("grown_bytes"), line.at("seconds")};
}

}  // namespace fedstein
