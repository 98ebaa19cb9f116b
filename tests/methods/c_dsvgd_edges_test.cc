// SPDX-License-Identifier: Apache-2.0
// c-dsvgd with agents that have no rows or one, that are lost for a round, or that come back after a long time.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/methods.h"
#include "fedstein/model/logistic_regression.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/hand_cranked.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

using Mishap = HandCrankedTransport::Mishap;

// Rows of one law; agents may take any ranges of them.
struct Rows {
  explicit Rows(Index count) : x(random_matrix(count, 2, 1)), y(count) {
    Rng rng({.seed = 2});
    for (Index i = 0; i < count; ++i) {
      y(i) = rng.uniform() < 1 / (1 + std::exp(-static_cast<double>(2 * x(i, 0) - x(i, 1)))) ? 1 : -1;
    }
  }
  Batch range(Index first, Index count) const { return Batch{x, y}.middle_rows(first, count); }
  Federation federation(const std::vector<Batch>& shards) const {
    return Federation(methods::c_dsvgd({.particles = 4, .batch = 20}), model, shards, {.seed = 1});
  }
  double likelihood(const Particles& at) const {
    return model.log_likelihood(at, {x, y}).mean() / static_cast<double>(y.size());
  }

  LogisticRegression model{2};
  Matrix x;
  Vector y;
};

Recorder run(Federation& made, const Scheduler& schedule, Index rounds, Transport* transport = nullptr) {
  InProcessTransport plain(made.agent_pointers());
  Recorder recorder;
  coordinate(made.server(), schedule, transport != nullptr ? *transport : plain, recorder, {.rounds = rounds});
  return recorder;
}

// A turn without rows is a round that changes nothing; momentum and step wait.
TEST(CDsvgdEdges, ATurnWithoutRowsChangesNothing) {
  const Rows rows(60);
  Federation made = rows.federation({rows.range(0, 30), rows.range(0, 0), rows.range(30, 30)});
  const Recorder seen = run(made, RoundRobin(3), 31);
  for (std::size_t i = 1; i < 31; i += 3) {
    EXPECT_EQ(seen.records[i].folded, std::vector<Index>{1});
    EXPECT_TRUE(identical(seen.particles[i], seen.particles[i - 1])) << i;
    EXPECT_EQ(seen.records[i].figures.at("step"), seen.records[i - 1].figures.at("step"));
  }
  EXPECT_FALSE(identical(seen.particles[30], seen.particles[28]));
}

// Everybody who has rows is lost: what is left of the round has nothing to say.
TEST(CDsvgdEdges, ARoundOfAgentsWithoutRowsTakesNoHarm) {
  const Rows rows(60);
  Federation made = rows.federation({rows.range(0, 60), rows.range(0, 0), rows.range(0, 0)});
  HandCrankedTransport network(made.agent_pointers());
  for (const Index round : {1, 5, 6}) network.arrange(round, 0, Mishap::kDropTask);
  const Recorder seen = run(made, RandomFraction(3, 1, 1), 60, &network);
  EXPECT_EQ(seen.records[4].folded, (std::vector<Index>{1, 2}));
  Federation alone = rows.federation({rows.range(0, 60)});
  const double wanted = rows.likelihood(run(alone, RoundRobin(1), 60).particles.back());
  EXPECT_NEAR(rows.likelihood(seen.particles.back()), wanted, 0.005);
}

TEST(CDsvgdEdges, AgentsWithOneRowEachLearnAsOneAgentWithAll) {
  const Rows rows(12);
  std::vector<Batch> single;
  for (Index k = 0; k < 12; ++k) single.push_back(rows.range(k, 1));
  Federation alone = rows.federation({rows.range(0, 12)});
  const double wanted = rows.likelihood(run(alone, RoundRobin(1), 200).particles.back());
  Federation together = rows.federation(single);
  EXPECT_NEAR(rows.likelihood(run(together, RandomFraction(12, 1, 1), 200).particles.back()), wanted, 0.01);
  Federation some = rows.federation(single);
  EXPECT_NEAR(rows.likelihood(run(some, RandomFraction(12, 0.25, 1), 800).particles.back()), wanted, 0.02);
  Federation in_turn = rows.federation(single);
  EXPECT_NEAR(rows.likelihood(run(in_turn, RoundRobin(12), 2400).particles.back()), wanted, 0.02);
}

// One row of its own beside 200 of another agent's.
TEST(CDsvgdEdges, OneRowBesideManyDoesNotDisturb) {
  const Rows rows(201);
  Federation made = rows.federation({rows.range(0, 200), rows.range(200, 1)});
  Federation alone = rows.federation({rows.range(0, 201)});
  const double wanted = rows.likelihood(run(alone, RoundRobin(1), 100).particles.back());
  EXPECT_NEAR(rows.likelihood(run(made, RandomFraction(2, 1, 1), 100).particles.back()), wanted, 0.005);
}

// A lost upload is as if the agent had not been asked, for the server and for what the agent keeps.
TEST(CDsvgdEdges, ALostAgentIsAsOneThatWasNotAsked) {
  const Rows rows(90);
  const std::vector<Batch> shards = {rows.range(0, 30), rows.range(30, 30), rows.range(60, 30)};
  for (const Mishap mishap : {Mishap::kDropTask, Mishap::kDropReply, Mishap::kFail, Mishap::kNonFinite}) {
    Federation lossy = rows.federation(shards), other = rows.federation(shards);
    HandCrankedTransport network(lossy.agent_pointers());
    std::vector<std::vector<Index>> realised(20, {0, 1, 2});
    for (const Index round : {4, 5, 9}) {
      network.arrange(round, 1, mishap);
      realised[static_cast<std::size_t>(round - 1)] = {0, 2};
    }
    const Recorder seen = run(lossy, RandomFraction(3, 1, 1), 20, &network);
    EXPECT_TRUE(identical(seen.particles.back(), run(other, ListedSchedule(realised), 20).particles.back()));
    EXPECT_EQ(seen.records[3].failures.size(), 1U);
  }
}

// An agent that was there at the start and comes back after 200 rounds. Its variate is old, its rows are not lost: the
// belief stays as good on the way, and takes up what the agent knows.
TEST(CDsvgdEdges, AStaleVariateDoesNoHarmWhenItsAgentComesBack) {
  const Rows rows(120);
  const std::vector<Batch> shards = {rows.range(0, 40), rows.range(40, 40), rows.range(80, 40)};
  std::vector<std::vector<Index>> schedule(300, {0, 1, 2});
  for (std::size_t i = 5; i < 205; ++i) schedule[i] = {0, 1};
  Federation made = rows.federation(shards), whole = rows.federation(shards);
  const Recorder seen = run(made, ListedSchedule(schedule), 300);
  const double wanted = rows.likelihood(run(whole, RandomFraction(3, 1, 1), 300).particles.back());
  for (std::size_t i = 205; i < 300; ++i) EXPECT_GT(rows.likelihood(seen.particles[i]), wanted - 0.02) << i;
  EXPECT_NEAR(rows.likelihood(seen.particles.back()), wanted, 0.005);
}

}  // namespace
}  // namespace fedstein
