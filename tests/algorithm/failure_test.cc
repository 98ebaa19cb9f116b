// SPDX-License-Identifier: Apache-2.0
// DSVGD and P-DSVGD on a network that loses, delays and doubles: a round that failed must be as if it had never been.
#include <gtest/gtest.h>

#include "algorithm/toy_federation.h"
#include "fedstein/federated/hand_cranked.h"
#include "support/close.h"

namespace fedstein {
namespace {

using Mishap = HandCrankedTransport::Mishap;

class Failures : public testing::TestWithParam<std::string> {
 protected:
  LocalFederation federation() const {
    Settings settings(algorithm_named(GetParam()).settings);
    settings.set("particles", Index{15});
    settings.set("local_steps", Index{10});
    return LocalFederation(algorithm_named(GetParam()), settings, model_, shards_.per_agent(), 4);
  }

  GaussianMixture model_ = toy_mixture_1d(ToyPrior::kNormal);
  FactorShards shards_{model_};
};

// Retried until it succeeds, a round gives what it would have given at once: the minibatches and the factor do not
// remember the attempts.
TEST_P(Failures, RetriedRoundsEqualAnUndisturbedRun) {
  LocalFederation quiet = federation();
  InProcessTransport transport(quiet.agent_pointers());
  Recorder expected;
  coordinate(quiet.server(), RoundRobin(2), transport, expected, {.rounds = 8});

  LocalFederation troubled = federation();
  HandCrankedTransport network(troubled.agent_pointers());
  network.arrange(1, 0, Mishap::kDropReply);
  network.arrange(2, 1, Mishap::kDropTask);
  network.arrange(2, 1, Mishap::kNonFinite);
  network.arrange(3, 0, Mishap::kMisshapen);
  network.arrange(4, 1, Mishap::kDelay);  // arrives with the second attempt, whose task is lost
  network.arrange(4, 1, Mishap::kDropTask);
  network.arrange(5, 0, Mishap::kDuplicate);
  network.arrange(6, 1, Mishap::kWrongRound);
  network.arrange(7, 0, Mishap::kStranger);
  network.reverse(8);
  Recorder found;
  coordinate(troubled.server(), RoundRobin(2), network, found, {.rounds = 8, .retries = 3});
  for (std::size_t round = 0; round < 8; ++round) {
    EXPECT_TRUE(identical(found.particles[round], expected.particles[round])) << "round " << round + 1;
  }
}

// Given up, a round leaves everything as it was: the run equals one in which it was never scheduled.
TEST_P(Failures, AGivenUpRoundLeavesNoTrace) {
  LocalFederation troubled = federation();
  HandCrankedTransport network(troubled.agent_pointers());
  network.arrange(3, 0, Mishap::kDropReply);
  Recorder found;
  coordinate(troubled.server(), RoundRobin(2), network, found, {.rounds = 4});
  EXPECT_TRUE(identical(found.particles[2], found.particles[1]));
  EXPECT_TRUE(found.records[2].folded.empty());
  EXPECT_FALSE(identical(found.particles[3], found.particles[2]));
}

// A reply that comes a round late: same agent, same particles underneath, still refused and without effect.
TEST_P(Failures, ALateUploadIsNeverFolded) {
  LocalFederation late = federation();
  HandCrankedTransport network(late.agent_pointers());
  network.arrange(3, 0, Mishap::kDelay);
  Recorder with_delay;
  coordinate(late.server(), RoundRobin(2), network, with_delay, {.rounds = 6});

  LocalFederation lost = federation();
  HandCrankedTransport lossy(lost.agent_pointers());
  lossy.arrange(3, 0, Mishap::kDropTask);
  Recorder with_loss;
  coordinate(lost.server(), RoundRobin(2), lossy, with_loss, {.rounds = 6});
  EXPECT_TRUE(identical(with_delay.particles.back(), with_loss.particles.back()));
}

INSTANTIATE_TEST_SUITE_P(Methods, Failures, testing::Values("dsvgd", "u-dsvgd", "p-dsvgd"), [](const auto& variant) {
  std::string name = variant.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace fedstein
