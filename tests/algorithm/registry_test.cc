// SPDX-License-Identifier: Apache-2.0
// What every algorithm of the registry must do, in every variant it has: run, save and restore at every round, and give
// the same numbers whatever the number of threads.
#include <gtest/gtest.h>

#include "algorithm/toy_federation.h"
#include "fedstein/federated/state.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Variant {
  std::string algorithm;
  std::vector<std::pair<std::string, std::string>> texts;

  std::string name() const {
    std::string joined = algorithm;
    for (const auto& [key, value] : texts) joined += "_" + value;
    std::replace(joined.begin(), joined.end(), '-', '_');
    return joined;
  }
};

std::ostream& operator<<(std::ostream& out, const Variant& variant) {
  return out << variant.name();
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Algorithm& algorithm : algorithms()) all.push_back({algorithm.name, {}});
  all.push_back({"dsvgd", {{"distillation", "svgd"}}});
  all.push_back({"dsvgd", {{"distillation", "reference"}}});
  all.push_back({"dsvgd", {{"step_rule", "adam"}, {"start", "near-zero"}}});
  all.push_back({"p-dsvgd", {{"fold", "svgd"}}});
  all.push_back({"p-dsvgd", {{"distillation", "svgd"}, {"fold", "paper"}}});
  all.push_back({"pvi", {{"start", "draw"}}});
  all.push_back({"pmd", {{"start", "near-zero"}}});
  return all;
}

constexpr Index kAgents = 4;

// Numbers that one agent receives and sends in a round, by the paper's complexity section: N d particles unless listed.
struct Traffic {
  Index down;
  Index up;
};

Traffic traffic_of(const std::string& algorithm, Index particles, Index dimension) {
  // Natural parameters of a mean field, however many draws predict.
  if (algorithm == "pvi" || algorithm == "gvi") return {2 * dimension, 2 * dimension};
  // A mean and a variance per component.
  if (algorithm == "npv") return {particles * (dimension + 1), particles * (dimension + 1)};
  return {particles * dimension, particles * dimension};
}

class EveryAlgorithm : public testing::TestWithParam<Variant> {
 protected:
  EveryAlgorithm() : x_(random_matrix(80, 3, 1)), y_(80) {
    for (Index i = 0; i < 80; ++i) y_(i) = x_(i, 0) + x_(i, 1) > 0 ? 1 : -1;
  }

  const Algorithm& algorithm() const { return algorithm_named(GetParam().algorithm); }

  LocalFederation federation() const {
    Settings settings(algorithm().settings);
    if (settings.has("local_steps")) settings.set("local_steps", Index{10});
    if (settings.has("batch")) settings.set("batch", Index{7});
    for (const auto& [key, value] : GetParam().texts) settings.set(key, value);
    const Batch all{x_, y_};
    std::vector<Batch> shards;
    if (algorithm().centralised) {
      shards.push_back(all);
    } else {
      for (Index k = 0; k < kAgents; ++k) shards.push_back(all.middle_rows(20 * k, 20));
    }
    return LocalFederation(algorithm(), settings, model_, shards, 9);
  }

  Recorder run(LocalFederation& federation, Index first_round, Index rounds) const {
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    const RoundRobin in_turn(federation.agents());
    const ListedSchedule pairs({{0, 1}, {1, 2}, {0, 3}});
    const Scheduler& scheduler = algorithm().parallel ? static_cast<const Scheduler&>(pairs) : in_turn;
    coordinate(federation.server(), scheduler, transport, recorder, {.first_round = first_round, .rounds = rounds});
    return recorder;
  }

  LogisticRegression model_{3};
  Matrix x_;
  Vector y_;
};

TEST_P(EveryAlgorithm, RunsAndMovesItsParticles) {
  LocalFederation federation = this->federation();
  const Particles start = federation.server().particles();
  const Recorder recorder = run(federation, 1, 7);
  ASSERT_EQ(recorder.records.size(), 7U);
  for (const RoundRecord& record : recorder.records) {
    EXPECT_TRUE(record.failures.empty());
    EXPECT_EQ(record.folded, record.scheduled);
    const Traffic traffic = traffic_of(algorithm().name, start.rows(), start.cols());
    const auto bytes = static_cast<Index>(record.scheduled.size() * sizeof(Real));
    EXPECT_EQ(record.bytes_down, traffic.down * bytes);
    EXPECT_EQ(record.bytes_up, traffic.up * bytes);
  }
  EXPECT_FALSE(identical(recorder.particles.back(), start));
}

TEST_P(EveryAlgorithm, StoppedAfterAnyRoundAndRestoredContinuesToTheBit) {
  constexpr Index kRounds = 6;
  LocalFederation undisturbed = federation();
  const Recorder expected = run(undisturbed, 1, kRounds);
  for (Index stop = 0; stop < kRounds; ++stop) {
    LocalFederation before = federation();
    run(before, 1, stop);
    const std::string saved = before.save();
    LocalFederation after = federation();
    after.restore(saved);
    EXPECT_EQ(after.save(), saved);
    const Recorder rest = run(after, stop + 1, kRounds);
    EXPECT_TRUE(identical(rest.particles.back(), expected.particles.back())) << "stopped after round " << stop;
  }
}

TEST_P(EveryAlgorithm, DoesNotDependOnTheNumberOfThreads) {
  LocalFederation reference = federation();
  Recorder serial;
  {
    const ThreadLimit one(1);
    serial = run(reference, 1, 5);
  }
  for (const int threads : {2, 8}) {
    const ThreadLimit limit(threads);
    LocalFederation federation = this->federation();
    const Recorder threaded = run(federation, 1, 5);
    EXPECT_TRUE(identical(threaded.particles.back(), serial.particles.back())) << threads << " threads";
  }
}

TEST_P(EveryAlgorithm, RefusesDamagedAndForeignState) {
  LocalFederation federation = this->federation();
  run(federation, 1, 2);
  const std::string saved = federation.save();
  EXPECT_THROW(federation.restore(saved.substr(0, saved.size() / 2)), BadState);
  std::string flipped = saved;
  flipped[saved.size() / 2] = static_cast<char>(flipped[saved.size() / 2] ^ 1);
  EXPECT_THROW(federation.restore(flipped), BadState);
  EXPECT_THROW(federation.server().restore(federation.agent(0).save()), BadState);
  EXPECT_EQ(federation.save(), saved) << "a refused state must change nothing";
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, testing::ValuesIn(variants()), [](const auto& variant) {
  return variant.param.name();
});

TEST(Memory, OfDsvgdIsFlatAndOfUDsvgdGrows) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const auto sizes = [&](const std::string& name) {
    Settings settings(algorithm_named(name).settings);
    settings.set("particles", Index{10});
    settings.set("local_steps", Index{5});
    LocalFederation federation(algorithm_named(name), settings, model, shards.per_agent(), 1);
    InProcessTransport transport(federation.agent_pointers());
    std::vector<Index> after;
    for (Index round = 1; round <= 9; round += 2) {
      Recorder recorder;
      coordinate(federation.server(), RoundRobin(2), transport, recorder, {.first_round = round, .rounds = round + 1});
      after.push_back(federation.agent(1).state_size());
    }
    return after;
  };
  // N d = 10 numbers: DSVGD keeps 2 N d for ever, U-DSVGD another 2 N d with every visit.
  EXPECT_EQ(sizes("dsvgd"), (std::vector<Index>{20, 20, 20, 20, 20}));
  EXPECT_EQ(sizes("u-dsvgd"), (std::vector<Index>{20, 40, 60, 80, 100}));
}

}  // namespace
}  // namespace fedstein
