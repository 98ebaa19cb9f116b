// SPDX-License-Identifier: Apache-2.0
// What every algorithm of the registry must do, in every variant it has: run, save and restore at every round, and give
// the same numbers whatever the number of threads. every_model_test.cc asks the same, shorter, of every model.
#include <gtest/gtest.h>

#include <set>

#include "fedstein/federated/state.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "methods/toy_federation.h"
#include "methods/traffic.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Variant {
  std::string algorithm;
  std::vector<std::pair<std::string, std::string>> texts;

  // Whose traffic it has.
  std::string exchange() const {
    using Text = std::pair<std::string, std::string>;
    if (!texts.empty() && texts.front() == Text("factor", "curvature")) return "curvature";
    if (!texts.empty() && texts.front() == Text("tuning", "shared")) return "c-dsvgd";
    if (!texts.empty() && texts.front() == Text("lite", "true")) return "mime-lite";
    if (!texts.empty() && texts.front() == Text("distillation_steps", "0")) return "dsvgd";
    if (!texts.empty() && texts.front() == Text("member", "scaffold")) return "ensemble_scaffold";
    return algorithm;
  }
  std::string name() const {
    std::string joined = algorithm;
    for (const auto& [key, value] : texts) joined += "_" + value;
    std::replace_if(
        joined.begin(), joined.end(), [](char c) { return c == '-' || c == '.'; }, '_');
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
  all.push_back({"dsvgd", {{"factor", "curvature"}}});
  all.push_back({"p-dsvgd", {{"factor", "curvature"}}});
  all.push_back({"p-dsvgd", {{"fold", "svgd"}}});
  all.push_back({"p-dsvgd", {{"distillation", "svgd"}, {"fold", "paper"}, {"start", "near-zero"}}});
  all.push_back({"sgld", {{"noise", "released"}, {"chain_batches", "shared"}}});
  all.push_back({"dsgld", {{"noise", "released"}, {"shard_weight", "released"}, {"start", "near-zero"}}});
  all.push_back({"dsgld", {{"shard_weight", "agents"}}});
  all.push_back({"fsgld", {{"shard_weight", "agents"}}});
  all.push_back({"fedavg", {{"weighting", "released"}}});
  all.push_back({"fedsgd", {{"step_rule", "plain"}}});
  all.push_back({"scaffold", {{"weighting", "uniform"}, {"step_rule", "adagrad"}}});
  all.push_back({"scaffold-m", {{"weighting", "uniform"}, {"step_rule", "adagrad"}}});
  all.push_back({"fedadam", {{"weighting", "uniform"}}});
  all.push_back({"fednova", {{"local_epochs", "2"}, {"weighting", "uniform"}}});
  all.push_back({"feddyn", {{"weighting", "uniform"}}});
  all.push_back({"mime", {{"lite", "true"}}});
  all.push_back({"c-dsvgd", {{"kernel", "none"}, {"start", "prior"}}});
  for (const char* point : {"fedavg", "fedprox", "scaffold"}) all.push_back({point, {{"tuning", "shared"}}});
  all.push_back({"pvi", {{"start", "draw"}}});
  all.push_back({"p-dsvgd", {{"fold", "barycentre"}}});
  all.push_back({"ensemble", {{"member", "scaffold"}, {"step_rule", "plain"}}});
  all.push_back({"fald", {{"shared_noise", "0.5"}, {"chain_batches", "shared"}}});
  all.push_back({"vr-fald", {{"shared_noise", "0"}, {"refresh", "3"}}});
  all.push_back({"sdsvgd", {{"distillation_steps", "0"}}});
  all.push_back({"fedpa", {{"burn_in_rounds", "1"}, {"samples", "2"}}});
  all.push_back({"pmd", {{"start", "near-zero"}}});
  return all;
}

constexpr Index kAgents = 4;

class EveryAlgorithm : public testing::TestWithParam<Variant> {
 protected:
  EveryAlgorithm() : x_(random_matrix(80, 3, 1)), y_(80) {
    for (Index i = 0; i < 80; ++i) y_(i) = x_(i, 0) + x_(i, 1) > 0 ? 1 : -1;
  }

  const Algorithm& algorithm() const { return algorithm_named(GetParam().algorithm); }

  Federation federation() const {
    Settings settings(algorithm().settings);
    for (const std::string steps : {"local_steps", "distillation_steps", "server_steps"}) {
      if (settings.has(steps)) settings.set(steps, Index{10});
    }
    if (settings.has("batch")) settings.set("batch", Index{7});
    for (const auto& [key, value] : GetParam().texts) settings.set_from_text(key + "=" + value);
    const Batch all{x_, y_};
    std::vector<Batch> shards;
    if (algorithm().centralised) {
      shards.push_back(all);
    } else {
      for (Index k = 0; k < kAgents; ++k) shards.push_back(all.middle_rows(20 * k, 20));
    }
    return Federation(algorithm(), settings, model_, shards, {9, &x_});
  }

  Recorder run(Federation& federation, Index first_round, Index rounds) const {
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
  Federation federation = this->federation();
  const Particles start = federation.server().particles();
  const Recorder recorder = run(federation, 1, 7);
  ASSERT_EQ(recorder.records.size(), 7U);
  std::set<Index> heard;
  for (const RoundRecord& record : recorder.records) {
    for (const Failure& failure : record.failures) ADD_FAILURE() << failure.agent << " " << failure.reason;
    const std::size_t heard_before = heard.size();
    heard.insert(record.scheduled.begin(), record.scheduled.end());
    const auto first_updates = static_cast<Index>(heard.size() - heard_before);
    EXPECT_EQ(record.folded, record.scheduled);
    const Traffic traffic = traffic_of(GetParam().exchange(), {start.rows(), start.cols(), kAgents});
    const auto bytes = static_cast<Index>(record.scheduled.size() * sizeof(Real));
    EXPECT_EQ(record.bytes_down, traffic.down * bytes);
    const auto once = traffic.up_once * first_updates * static_cast<Index>(sizeof(Real));
    EXPECT_EQ(record.bytes_up, traffic.up * bytes + once);
  }
  EXPECT_FALSE(identical(recorder.particles.back(), start));
}

TEST_P(EveryAlgorithm, StoppedAfterAnyRoundAndRestoredContinuesToTheBit) {
  constexpr Index kRounds = 6;
  Federation undisturbed = federation();
  const Recorder expected = run(undisturbed, 1, kRounds);
  for (Index stop = 0; stop < kRounds; ++stop) {
    Federation before = federation();
    run(before, 1, stop);
    const std::string saved = before.save();
    Federation after = federation();
    after.restore(saved);
    EXPECT_EQ(after.save(), saved);
    const Recorder rest = run(after, stop + 1, kRounds);
    EXPECT_TRUE(identical(rest.particles.back(), expected.particles.back())) << "stopped after round " << stop;
  }
}

TEST_P(EveryAlgorithm, DoesNotDependOnTheNumberOfThreads) {
  Federation reference = federation();
  Recorder serial;
  {
    const ThreadLimit one(1);
    serial = run(reference, 1, 5);
  }
  for (const int threads : {2, 8}) {
    const ThreadLimit limit(threads);
    Federation federation = this->federation();
    const Recorder threaded = run(federation, 1, 5);
    EXPECT_TRUE(identical(threaded.particles.back(), serial.particles.back())) << threads << " threads";
  }
}

TEST_P(EveryAlgorithm, RefusesDamagedAndForeignState) {
  Federation federation = this->federation();
  run(federation, 1, 2);
  const std::string saved = federation.save();
  EXPECT_THROW(federation.restore(saved.substr(0, saved.size() / 2)), BadState);
  std::string flipped = saved;
  flipped[saved.size() / 2] = static_cast<char>(flipped[saved.size() / 2] ^ 1);
  EXPECT_THROW(federation.restore(flipped), BadState);
  EXPECT_THROW(federation.server().restore(federation.agent(0).save()), BadState);
  EXPECT_EQ(federation.save(), saved) << "a refused state must change nothing";
}

// An agent's state belongs to its method, its way of keeping a factor and its number of particles.
TEST(State, OfAnotherMethodOrShapeIsRefused) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const auto trained = [&](const std::string& name, const std::string& distillation, Index particles) {
    Settings settings(algorithm_named(name).settings);
    settings.set("particles", particles);
    settings.set("local_steps", Index{3});
    if (!distillation.empty()) settings.set("distillation", distillation);
    auto federation = std::make_unique<Federation>(
        algorithm_named(name), settings, model, shards.per_agent(), FederationOptions{.seed = 1});
    InProcessTransport transport(federation->agent_pointers());
    Recorder recorder;
    coordinate(federation->server(), RoundRobin(2), transport, recorder, {.rounds = 3});
    return federation;
  };
  const auto score = trained("dsvgd", "score", 6);
  const std::string before = score->save();
  for (const auto& other : {trained("u-dsvgd", "", 6),
                            trained("dsvgd", "svgd", 6),
                            trained("dsvgd", "reference", 6),
                            trained("dsvgd", "score", 10),
                            trained("p-dsvgd", "", 6)}) {
    EXPECT_THROW(score->restore(other->save()), BadState);
    EXPECT_THROW(other->restore(before), BadState);
    EXPECT_THROW(score->agent(0).restore(other->agent(0).save()), BadState);
    EXPECT_EQ(score->save(), before) << "a refused state must change nothing";
  }
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
    Federation federation(algorithm_named(name), settings, model, shards.per_agent(), {.seed = 1});
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
