// SPDX-License-Identifier: Apache-2.0
// Whatever happens to whichever message, the run ends with the particles of the undisturbed one.
#include <gtest/gtest.h>

#include "relay/relay_world.h"
#include "support/close.h"

namespace fedstein {
namespace {

// A server that dies over and over, and an engine that loses every third message.
TEST(RelayFaults, ManyMishapsInARowChangeNothing) {
  const RelayCase which{.agents = 3, .rounds = 4};
  RelayWorld undisturbed(which);
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world(which);
  world.fate = [&](int event, const RelayDispatch&) {
    return event < 120 && event % 3 == 0 ? all_fates()[static_cast<std::size_t>(event / 3) % all_fates().size()]
                                         : Fate::kDelivered;
  };
  EXPECT_TRUE(identical(world.run().particles, wanted));
  EXPECT_EQ(world.states(), undisturbed.states());
}

TEST(RelayFaults, AnEngineThatAlwaysFailsWithOneAgentCostsTheRoundThatAgent) {
  RelayWorld world({.agents = 3, .rounds = 3});
  int failed = 0;
  world.fate = [&](int, const RelayDispatch& dispatch) {
    const bool fails = dispatch.node == "node-1" && dispatch.kind == RelayDispatch::Kind::kWork && failed < 3;
    failed += fails ? 1 : 0;
    return fails ? Fate::kEngineFails : Fate::kDelivered;
  };
  EXPECT_EQ(world.run().lost_rounds, 0);
  ASSERT_EQ(world.records().size(), 3U);
  const RoundRecord first = world.records().front();
  EXPECT_EQ(first.folded, (std::vector<Index>{0, 2}));
  ASSERT_EQ(first.failures.size(), 1U);
  EXPECT_EQ(first.failures.front().kind, Failure::Kind::kLost);
  EXPECT_EQ(first.failures.front().reason, "the engine says: lost: the node is unavailable");
  EXPECT_EQ(world.records().back().folded, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(failed, 3);
}

TEST(RelayFaults, WithSkipTheFirstFailureIsTheRounds) {
  RelayWorld world({.agents = 3, .rounds = 2, .server_table = "on_lapse = \"skip\"\n"});
  int failed = 0;
  world.fate = [&](int, const RelayDispatch& dispatch) {
    const bool fails = dispatch.node == "node-1" && dispatch.kind == RelayDispatch::Kind::kWork && failed++ == 0;
    return fails ? Fate::kEngineFailsLate : Fate::kDelivered;
  };
  world.run();
  ASSERT_EQ(world.records().front().failures.size(), 1U);
  EXPECT_EQ(world.records().front().failures.front().kind, Failure::Kind::kBroken);
  EXPECT_EQ(world.records().front().folded, (std::vector<Index>{0, 2}));
}

TEST(RelayFaults, SilenceEndsAtTheDeadlineAsTimedOut) {
  RelayWorld world({.agents = 2, .rounds = 2, .server_table = "deadline_seconds = 1\n"});
  bool was_silent = false;
  world.fate = [&](int, const RelayDispatch& dispatch) {
    if (dispatch.node != "node-1" || !world.records().empty()) return Fate::kDelivered;
    if (dispatch.kind == RelayDispatch::Kind::kWork) was_silent = true;
    return was_silent ? Fate::kLostTask : Fate::kDelivered;
  };
  world.run();
  ASSERT_EQ(world.records().size(), 2U);
  ASSERT_EQ(world.records().front().failures.size(), 1U);
  EXPECT_EQ(world.records().front().failures.front().kind, Failure::Kind::kTimedOut);
  EXPECT_EQ(world.records().back().folded, (std::vector<Index>{0, 1}));
}

}  // namespace
}  // namespace fedstein
