// SPDX-License-Identifier: Apache-2.0
// Rounds of c-dsvgd with all agents, for the comparison in race-controlled: data of the shapes that the peer has.
//
// Usage: fedstein-controlled blr|bnn [--agents K] [--rounds R]     prints one JSON line
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/logistic_regression.h"
#include "guarded.h"
#include "measured.h"

namespace fedstein {
namespace {

constexpr Index kSteps = 20;
constexpr Index kBatch = 100;

struct Case {
  std::unique_ptr<const Model> model;
  Index particles;
  Index rows;  // of each agent
  Matrix x;
  Vector y;
};

Case make_case(const std::string& name, Index agents) {
  Rng rng({.seed = 1});
  Case made;
  const bool network = name == "bnn";
  if (!network && name != "blr") throw std::invalid_argument("case is '" + name + "'; allowed: blr, bnn");
  const Index inputs = network ? 784 : 54;
  made.particles = network ? 8 : 6;
  made.rows = network ? 3000 : 4000;
  made.x.resize(agents * made.rows, inputs);
  rng.fill_normal(made.x, 0, network ? 0.3 : 1);
  made.y.resize(made.x.rows());
  for (Index i = 0; i < made.y.size(); ++i) {
    made.y(i) = network ? static_cast<Real>(i % 10) : (made.x(i, 0) + 0.1_r > 0 ? 1 : -1);
  }
  if (network) {
    made.model =
        std::make_unique<BnnClassification>(BnnClassification::Options{.inputs = inputs, .hidden = 100, .classes = 10});
  } else {
    made.model = std::make_unique<LogisticRegression>(inputs);
  }
  return made;
}

Index count_after(const char* flag, int argc, char** argv, Index standard) {
  for (int i = 2; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], flag) == 0) return std::stol(argv[i + 1]);
  }
  return standard;
}

int measure(int argc, char** argv) {
  if (argc < 2) throw std::invalid_argument("no case; allowed: blr, bnn");
  const Index agents = count_after("--agents", argc, argv, 20);
  const Index rounds = count_after("--rounds", argc, argv, 3);
  if (agents < 1 || rounds < 1) throw std::invalid_argument("--agents and --rounds must be at least 1");
  const Case made = make_case(argv[1], agents);
  std::vector<Batch> shards;
  for (Index k = 0; k < agents; ++k) shards.push_back(Batch{made.x, made.y}.middle_rows(k * made.rows, made.rows));
  Federation federation(
      methods::c_dsvgd({.particles = made.particles, .local_steps = kSteps, .batch = kBatch}), *made.model, shards);
  const RandomFraction everyone(agents, 1, 1);
  const double seconds = median_seconds(3, [&] { federation.run({.rounds = rounds, .scheduler = &everyone}); }) /
                         static_cast<double>(rounds * kSteps * agents);
  const nlohmann::json line = {{"peer", "fedstein"},
                               {"case", std::string("c-dsvgd ") + argv[1]},
                               {"agents", agents},
                               {"finite", federation.particles().allFinite()},
                               {"us_per_local_step", seconds * 1e6}};
  std::printf("%s\n", line.dump().c_str());
  return federation.particles().allFinite() ? 0 : 1;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  return fedstein::guarded("fedstein-controlled", [&] { return fedstein::measure(argc, argv); });
}
