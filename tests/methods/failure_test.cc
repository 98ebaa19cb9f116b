// SPDX-License-Identifier: Apache-2.0
// Every method on a network that loses, delays and doubles: a round that failed must be as if it had never been.
#include <gtest/gtest.h>

#include "fedstein/methods/registry.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/hand_cranked.h"

namespace fedstein {
namespace {

using Mishap = HandCrankedTransport::Mishap;

class Failures : public testing::TestWithParam<std::string> {
 protected:
  const Algorithm& algorithm() const { return algorithm_named(GetParam()); }
  Index agents() const { return algorithm().centralised ? 1 : 2; }
  // Whose turn a round is.
  Index agent_of(Index round) const { return (round - 1) % agents(); }

  Federation federation() const {
    Settings settings(algorithm().settings);
    if (settings.has("particles")) settings.set("particles", Index{6});
    if (settings.has("local_steps")) settings.set("local_steps", Index{10});
    if (settings.has("batch")) settings.set("batch", Index{7});
    if (settings.has("surrogate_steps")) settings.set("surrogate_steps", Index{20});
    if (settings.has("distillation_epochs")) settings.set("distillation_epochs", Index{2});
    const Batch all{world_.x, world_.y};
    const std::vector<Batch> shards =
        agents() == 1 ? std::vector<Batch>{all} : std::vector<Batch>{all.middle_rows(0, 20), all.middle_rows(20, 20)};
    return Federation(algorithm(), settings, *world_.model, shards, {4, &world_.x});
  }

  World world_ = logistic_world(false);
};

// Retried until it succeeds, a round gives what it would have given at once: the minibatches and the factor do not
// remember the attempts.
TEST_P(Failures, RetriedRoundsEqualAnUndisturbedRun) {
  Federation quiet = federation();
  InProcessTransport transport(quiet.agent_pointers());
  Recorder expected;
  coordinate(quiet.server(), RoundRobin(agents()), transport, expected, {.rounds = 8});

  Federation troubled = federation();
  HandCrankedTransport network(troubled.agent_pointers());
  network.arrange(1, agent_of(1), Mishap::kDropReply);
  network.arrange(2, agent_of(2), Mishap::kDropTask);
  network.arrange(2, agent_of(2), Mishap::kNonFinite);
  network.arrange(3, agent_of(3), Mishap::kMisshapen);
  network.arrange(4, agent_of(4), Mishap::kDelay);  // arrives with the second attempt, whose task is lost
  network.arrange(4, agent_of(4), Mishap::kDropTask);
  network.arrange(5, agent_of(5), Mishap::kDuplicate);
  network.arrange(6, agent_of(6), Mishap::kWrongRound);
  network.arrange(7, agent_of(7), Mishap::kStranger);
  network.reverse(8);
  Recorder found;
  coordinate(troubled.server(), RoundRobin(agents()), network, found, {.rounds = 8, .retries = 3});
  for (std::size_t round = 0; round < 8; ++round) {
    EXPECT_TRUE(identical(found.particles[round], expected.particles[round])) << "round " << round + 1;
  }
}

// Given up, a round leaves everything as it was: the run equals one in which it was never scheduled.
TEST_P(Failures, AGivenUpRoundLeavesNoTrace) {
  Federation troubled = federation();
  HandCrankedTransport network(troubled.agent_pointers());
  network.arrange(3, agent_of(3), Mishap::kDropReply);
  Recorder found;
  coordinate(troubled.server(), RoundRobin(agents()), network, found, {.rounds = 5});
  EXPECT_TRUE(identical(found.particles[2], found.particles[1]));
  EXPECT_TRUE(found.records[2].folded.empty());
  EXPECT_FALSE(identical(found.particles[4], found.particles[2]));  // two rounds later: Mime needs two for a move
}

// A reply that comes a round late: same agent, same particles underneath, still refused and without effect.
TEST_P(Failures, ALateUploadIsNeverFolded) {
  Federation late = federation();
  HandCrankedTransport network(late.agent_pointers());
  network.arrange(3, agent_of(3), Mishap::kDelay);
  Recorder with_delay;
  coordinate(late.server(), RoundRobin(agents()), network, with_delay, {.rounds = 6});

  Federation lost = federation();
  HandCrankedTransport lossy(lost.agent_pointers());
  lossy.arrange(3, agent_of(3), Mishap::kDropTask);
  Recorder with_loss;
  coordinate(lost.server(), RoundRobin(agents()), lossy, with_loss, {.rounds = 6});
  EXPECT_TRUE(identical(with_delay.particles.back(), with_loss.particles.back()));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Algorithm& algorithm : algorithms()) all.push_back(algorithm.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, Failures, testing::ValuesIn(names()), [](const auto& variant) {
  std::string name = variant.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace fedstein
