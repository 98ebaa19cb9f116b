// SPDX-License-Identifier: Apache-2.0
// The few lines in which a user runs a federation.
#include "fedstein/algorithm/federation.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "fedstein/federated/plain_sides.h"
#include "fedstein/federated/state.h"
#include "fedstein/methods/methods.h"
#include "fedstein/numeric/check.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// A model that is a temporary would be gone after the constructor.
static_assert(std::is_constructible_v<Federation, Algorithm, const LogisticRegression&, std::vector<Batch>>);
static_assert(!std::is_constructible_v<Federation, Algorithm, LogisticRegression, std::vector<Batch>>);
static_assert(!std::is_constructible_v<Federation, Algorithm, Settings, LogisticRegression, std::vector<Batch>>);

class FederationTest : public testing::Test {
 protected:
  Federation federation(const Algorithm& algorithm) const {
    return Federation(algorithm, *world_.model, world_.shards(), {.seed = 3});
  }
  World world_ = logistic_world(false);
  Algorithm dsvgd_ = methods::dsvgd({.particles = 5, .local_steps = 4});
  Algorithm fedavg_ = methods::fedavg({.local_steps = 4});
};

TEST_F(FederationTest, RunsAsTheRoundLoopDoes) {
  Federation simple = federation(dsvgd_), assembled = federation(dsvgd_);
  const RunSummary summary = simple.run({.rounds = 6});

  InProcessTransport transport(assembled.agent_pointers());
  Recorder recorder;
  coordinate(assembled.server(), RoundRobin(4), transport, recorder, {.rounds = 6});
  EXPECT_TRUE(identical(simple.particles(), recorder.particles.back()));
  ASSERT_EQ(summary.records.size(), 6U);
  EXPECT_FALSE(summary.stopped);
  EXPECT_EQ(summary.records[4].round, 5);
  EXPECT_EQ(summary.records[4].folded, recorder.records[4].folded);
  EXPECT_EQ(summary.records[4].bytes_up, recorder.records[4].bytes_up);
}

TEST_F(FederationTest, TakesAgentsInTurnOrAllAtOnceAsTheMethodCan) {
  const std::vector<Index> everybody = {0, 1, 2, 3};
  Federation sequential = federation(dsvgd_), parallel = federation(fedavg_);
  const RunSummary in_turn = sequential.run({.rounds = 5}), together = parallel.run({.rounds = 2});
  for (const std::size_t i : {0U, 1U, 2U, 3U, 4U}) {
    EXPECT_EQ(in_turn.records[i].scheduled, std::vector<Index>{static_cast<Index>(i % 4)});
  }
  for (const RoundRecord& record : together.records) EXPECT_EQ(record.folded, everybody);
  const RandomFraction half(4, 0.5, 1);
  for (const RoundRecord& record : parallel.run({.rounds = 3, .scheduler = &half}).records) {
    EXPECT_EQ(record.scheduled.size(), 2U);
  }
}

TEST_F(FederationTest, GoesOnWhereItEnded) {
  for (const Algorithm* algorithm : {&dsvgd_, &fedavg_}) {
    Federation whole = federation(*algorithm), parts = federation(*algorithm);
    whole.run({.rounds = 7});
    EXPECT_EQ(parts.run({.rounds = 3}).records.back().round, 3);
    EXPECT_EQ(parts.rounds(), 3);
    EXPECT_EQ(parts.run({.rounds = 4}).records.front().round, 4);
    EXPECT_EQ(parts.save(), whole.save());

    Federation stopped = federation(*algorithm), resumed = federation(*algorithm);
    stopped.run({.rounds = 5});
    resumed.restore(stopped.save());
    EXPECT_EQ(resumed.rounds(), 5);
    resumed.run({.rounds = 2});
    EXPECT_EQ(resumed.save(), whole.save());
    EXPECT_TRUE(identical(resumed.particles(), whole.particles()));
  }
}

// A run of an earlier version: its checkpoints end after the agents.
TEST_F(FederationTest, RestoresBytesThatDoNotCountRounds) {
  Federation whole = federation(dsvgd_), stopped = federation(dsvgd_), resumed = federation(dsvgd_);
  whole.run({.rounds = 5});
  stopped.run({.rounds = 3});
  StateWriter writer("federation");
  writer.text(stopped.server().save());
  writer.integer(4);
  for (Index k = 0; k < 4; ++k) writer.text(stopped.agent(k).save());
  resumed.restore(std::move(writer).finish(), /*rounds_before=*/3);
  resumed.run({.rounds = 2});
  EXPECT_EQ(resumed.save(), whole.save());
}

TEST_F(FederationTest, ShowsItsRoundsToWhoeverWatches) {
  Federation federation = this->federation(dsvgd_);
  Recorder recorder;
  std::vector<Index> called;
  const RunOptions until_four{.rounds = 9, .on_round = [&](RoundRecord& record, const Particles& particles) {
                                EXPECT_EQ(record.figures.count("mine"), 0U);
                                EXPECT_TRUE(identical(particles, recorder.particles.back()));
                                record.figures["mine"] = 1;
                                called.push_back(record.round);
                                return record.round == 4 ? Next::kStop : Next::kContinue;
                              }};
  const RunSummary summary = federation.run(until_four, recorder);
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(federation.rounds(), 4);
  EXPECT_EQ(called, (std::vector<Index>{1, 2, 3, 4}));
  ASSERT_EQ(summary.records.size(), 4U);
  EXPECT_EQ(summary.records.back().figures.at("mine"), 1);
  EXPECT_TRUE(federation.run({.rounds = 2, .keep_records = false}).records.empty());
  EXPECT_EQ(federation.rounds(), 6);
}

TEST_F(FederationTest, CountsOnlyRoundsThatWereDone) {
  Federation federation = this->federation(dsvgd_);
  const RandomFraction everybody(4, 1, 1);
  EXPECT_THROW_MESSAGE(federation.run({.rounds = 2, .scheduler = &everybody}), InvalidArgument, "takes 1");
  EXPECT_EQ(federation.rounds(), 0);
  EXPECT_THROW_MESSAGE(federation.run({.rounds = -1}), InvalidArgument, "rounds is -1; it must be at least 0");
  EXPECT_TRUE(federation.run({.rounds = 0}).records.empty());
}

TEST_F(FederationTest, RefusesWhatTheMethodCannotServe) {
  const std::vector<Batch> nobody;
  EXPECT_THROW_MESSAGE(Federation(dsvgd_, *world_.model, nobody), InvalidArgument, "at least 1 agent");
  EXPECT_THROW_MESSAGE(Federation(methods::svgd(), *world_.model, world_.shards()), InvalidArgument, "takes 1 shard");
}

TEST_F(FederationTest, SaysHowManyRoundsWereLostAndWhy) {
  Federation good = federation(dsvgd_), lost = federation(methods::dsvgd({.learning_rate = 1e30}));
  const RunSummary well = good.run({.rounds = 2}), badly = lost.run({.rounds = 3, .keep_records = false});
  EXPECT_EQ(well.message(), "2 rounds.");
  EXPECT_EQ(badly.lost_rounds, 3);
  EXPECT_NE(badly.message().find("3 rounds; 3 of them took nobody's update in, the last because particle"),
            std::string::npos)
      << badly.message();
}

TEST_F(FederationTest, RefusesAnAlgorithmWithoutHalvesAndSettingsOfAnother) {
  const auto with = [&](const Algorithm& algorithm, const Settings& settings) {
    return Federation(algorithm, settings, *world_.model, world_.shards());
  };
  Algorithm half = dsvgd_;
  half.make_agent = {};
  EXPECT_THROW_MESSAGE(federation(half), InvalidArgument, "has no make_server or no make_agent");
  EXPECT_THROW_MESSAGE(with(dsvgd_, Settings(fedavg_.settings)), InvalidArgument, "the settings have no key '");
}

// What cannot be put back must not be tried for ever.
TEST_F(FederationTest, AnAgentThatRefusesItsOwnStateEndsInOneRefusal) {
  class Stubborn : public PlainAgent {
   public:
    using PlainAgent::PlainAgent;
    void restore(const std::string&) override { throw BadState("never"); }
  };
  Algorithm method = fedavg_;
  method.make_agent = [](const AgentContext&, const Settings&) {
    return std::make_unique<Stubborn>("stubborn", [](const Task& task) { return task.belief; });
  };
  Federation made = federation(method);
  const std::string start = made.save();
  made.run({.rounds = 1});
  const std::string after = made.server().save();
  EXPECT_THROW_MESSAGE(made.restore(start), BadState, "never");
  EXPECT_EQ(made.server().save(), after);
  EXPECT_EQ(made.rounds(), 1);
}

}  // namespace
}  // namespace fedstein
