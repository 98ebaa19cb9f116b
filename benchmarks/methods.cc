// SPDX-License-Identifier: Apache-2.0
// One method on one dataset, as a row of a comparison: final accuracy, log-likelihood, MCE, bytes, seconds.
// Usage: fedstein-methods [--held-out] [--together] METHOD DATASET AGENTS ROUNDS [PRIOR_SCALE [KEY=VALUE...]]; data
// from $FEDSTEIN_DATA.
//
// One agent a round, in turn, as the paper compares; P-DSVGD takes a fifth of the agents (all of up to 5), and with
// --together so does any method that can. --held-out measures on a tenth of the training rows, which nobody trains on
// then: for choosing settings without a look at the test rows.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/federation.h"
#include "fedstein/data/load.h"
#include "fedstein/data/partition.h"
#include "fedstein/data/registry.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/logistic_regression.h"
#include "guarded.h"

namespace fedstein {
namespace {

// Inputs of the first agent that FedBE's server distils on: no method sees more than the agents do.
constexpr Index kUnlabelled = 10000;

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

// The words that begin with "--" are taken out of the arguments; whether this one was among them.
bool take_flag(const std::string& flag, std::vector<std::string>& arguments) {
  return std::erase(arguments, flag) > 0;
}

// "0.5" as the type that the setting has.
SettingValue parsed(const Settings& settings, const std::string& key, const std::string& text) {
  if (!settings.has(key)) return text;  // set() then refuses the key
  const SettingValue& current = settings.at(key);
  if (std::holds_alternative<std::string>(current)) return text;
  if (std::holds_alternative<bool>(current) && (text == "true" || text == "false")) return text == "true";
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  if (end != text.size()) throw std::invalid_argument(key + " is '" + text + "'; allowed: a number");
  if (!std::holds_alternative<Index>(current)) return number;
  if (number != std::floor(number)) throw std::invalid_argument(key + " is '" + text + "'; allowed: an integer");
  return static_cast<Index>(number);
}

// Every tenth row of the training part becomes one to measure on.
Split held_out(const Split& split) {
  Split inner;
  for (std::size_t i = 0; i < split.train.size(); ++i) {
    (i % 10 == 0 ? inner.test : inner.train).push_back(split.train[i]);
  }
  return inner;
}

int run(std::vector<std::string> arguments) {
  const bool on_training_rows = take_flag("--held-out", arguments);
  const bool together = take_flag("--together", arguments);
  if (arguments.size() < 4) {
    throw std::invalid_argument(
        "usage: fedstein-methods [--held-out] [--together] METHOD DATASET AGENTS ROUNDS [PRIOR_SCALE [KEY=VALUE...]]");
  }
  const Algorithm& algorithm = algorithm_named(arguments.at(0));
  const DatasetInfo& info = find_dataset(arguments.at(1));
  const Index agents = algorithm.centralised ? 1 : std::stol(arguments.at(2));
  const Index rounds = std::stol(arguments.at(3));
  const double prior_scale = arguments.size() > 4 ? std::stod(arguments[4]) : 0.01;
  const char* folder = std::getenv("FEDSTEIN_DATA");
  Dataset dataset = load_dataset(info.name, folder == nullptr ? "" : folder);
  Split split = default_split(info, dataset, 1);
  if (on_training_rows) split = held_out(split);
  apply_scaling(default_scaling(info, dataset, split), dataset);
  const Shards shards = partition(dataset, split.train, {.agents = agents, .seed = 1});
  const Dataset test = rows(dataset, split.test);
  std::vector<Dataset> parts;
  for (const auto& shard : shards) parts.push_back(rows(dataset, shard));
  dataset = {};
  std::vector<Batch> batches;
  for (const Dataset& part : parts) batches.push_back({part.x, part.y});

  Settings settings(algorithm.settings);
  // The paper's batch "for all schemes"; it gave PVI and GVI none for data, and theirs is larger (pvi.h says why).
  const bool gaussian = algorithm.name == "pvi" || algorithm.name == "gvi";
  if (settings.has("batch") && !gaussian) settings.set("batch", info.batch);
  for (std::size_t i = 5; i < arguments.size(); ++i) {
    const auto equals = arguments[i].find('=');
    const std::string key = arguments[i].substr(0, equals);
    settings.set(key, parsed(settings, key, equals == std::string::npos ? "" : arguments[i].substr(equals + 1)));
  }
  const LogisticRegression model(test.x.cols(), {.prior_scale = prior_scale});
  const Matrix unlabelled = parts.front().x.topRows(std::min<Index>(kUnlabelled, parts.front().x.rows()));
  Federation federation(algorithm, settings, model, batches, {1, &unlabelled});
  InProcessTransport transport(federation.agent_pointers());
  Evaluation evaluation(model, {test.x, test.y}, {});
  Totals totals(evaluation, rounds);
  const RoundRobin in_turn(agents);
  const RandomFraction several(agents, agents > 5 ? 0.2 : 1, 1);
  const bool parallel = algorithm.parallel && (together || algorithm.name == "p-dsvgd");
  const Scheduler& scheduler = parallel ? static_cast<const Scheduler&>(several) : in_turn;
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
  return fedstein::guarded("fedstein-methods", [&] { return fedstein::run({argv + 1, argv + argc}); });
}
