// SPDX-License-Identifier: Apache-2.0
// One method on one dataset, as a row of a comparison: final accuracy, log-likelihood, MCE, bytes, seconds.
// Usage: fedstein-methods METHOD DATASET AGENTS ROUNDS [PRIOR_SCALE [KEY=TEXT...]]; data from $FEDSTEIN_DATA.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/evaluation.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/data/load.h"
#include "fedstein/data/partition.h"
#include "fedstein/data/registry.h"
#include "fedstein/model/logistic_regression.h"

namespace fedstein {
namespace {

// Adds up traffic and failures, and passes the last round on to be evaluated.
class Totals : public Observer {
 public:
  Totals(Observer& evaluation, Index last) : evaluation_(evaluation), last_(last) {}
  Next on_round(RoundRecord& record, const Particles& particles) override {
    bytes += static_cast<double>(record.bytes_down + record.bytes_up);
    seconds += record.seconds;
    failures += static_cast<int>(record.failures.size());
    if (record.round == last_) evaluation_.on_round(record, particles);
    figures = record.figures;
    return Next::kContinue;
  }
  double bytes = 0;
  double seconds = 0;
  int failures = 0;
  std::map<std::string, double> figures;

 private:
  Observer& evaluation_;
  Index last_;
};

int run(const std::vector<std::string>& arguments) {
  const Algorithm& algorithm = algorithm_named(arguments.at(0));
  const DatasetInfo& info = find_dataset(arguments.at(1));
  const Index agents = algorithm.centralised ? 1 : std::stol(arguments.at(2));
  const Index rounds = std::stol(arguments.at(3));
  const double prior_scale = arguments.size() > 4 ? std::stod(arguments[4]) : 0.01;
  const char* folder = std::getenv("FEDSTEIN_DATA");
  Dataset dataset = load_dataset(info.name, folder == nullptr ? "" : folder);
  const Split split = default_split(info, dataset, 1);
  apply_scaling(default_scaling(info, dataset, split), dataset);
  const Shards shards = partition(dataset, split.train, {.agents = agents, .seed = 1});
  const Dataset test = rows(dataset, split.test);
  std::vector<Dataset> parts;
  for (const auto& shard : shards) parts.push_back(rows(dataset, shard));
  dataset = {};
  std::vector<Batch> batches;
  for (const Dataset& part : parts) batches.push_back({part.x, part.y});

  Settings settings(algorithm.settings);
  if (settings.has("batch")) settings.set("batch", info.batch);
  for (std::size_t i = 5; i < arguments.size(); ++i) {
    const auto equals = arguments[i].find('=');
    settings.set(arguments[i].substr(0, equals), arguments[i].substr(equals + 1));
  }
  const LogisticRegression model(test.x.cols(), {.prior_scale = prior_scale});
  const Matrix unlabelled = parts.front().x.topRows(std::min<Index>(1000, parts.front().x.rows()));
  LocalFederation federation(algorithm, settings, model, batches, {1, &unlabelled});
  InProcessTransport transport(federation.agent_pointers());
  Evaluation evaluation(model, {test.x, test.y}, {});
  Totals totals(evaluation, rounds);
  const RoundRobin in_turn(agents);
  const RandomFraction together(agents, agents > 5 ? 0.2 : 1, 1);
  const bool parallel = algorithm.parallel && algorithm.name.rfind("fed", 0) != 0 && algorithm.name != "dsgld" &&
                        algorithm.name != "fsgld" && algorithm.name != "pvi" && algorithm.name != "scaffold";
  const Scheduler& scheduler = parallel ? static_cast<const Scheduler&>(together) : in_turn;
  coordinate(federation.server(), scheduler, transport, totals, {.rounds = rounds});
  std::printf(
      "%-9s %-10s K=%-3ld rounds %-4ld accuracy %.4f  log-likelihood %8.4f  MCE %.3f  %9.0f kB  %7.2f s  %d failures\n",
      algorithm.name.c_str(),
      info.name.c_str(),
      static_cast<long>(agents),
      static_cast<long>(rounds),
      totals.figures["accuracy"],
      totals.figures["log_likelihood"],
      totals.figures["mce"],
      algorithm.centralised ? 0.0 : totals.bytes / 1000,
      totals.seconds,
      totals.failures);
  return 0;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  try {
    if (argc < 5)
      throw std::invalid_argument("usage: fedstein-methods METHOD DATASET AGENTS ROUNDS [PRIOR_SCALE [KEY=TEXT...]]");
    return fedstein::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fedstein-methods: %s\n", error.what());
    return 1;
  }
}
