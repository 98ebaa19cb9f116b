// SPDX-License-Identifier: Apache-2.0
// Who an agent is and what it remembers: lost, swapped and foreign states, two nodes of one name, keys.
#include <gtest/gtest.h>

#include <filesystem>

#include "relay/relay_world.h"
#include "support/close.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

bool after(const RelayWorld& world, std::size_t rounds) {
  return world.records().size() >= rounds;
}

TEST(RelaySeats, AnEmptiedStateFolderIsRefusedUntilItIsBack) {
  RelayWorld undisturbed({.rounds = 6});
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world({.rounds = 6});
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  world.stop_server();
  fs::rename(world.state_of(1), world.state_of(1) + "-away");
  ASSERT_TRUE(world.crank([&] { return world.was_told("its data would count twice"); })) << world.all_told();
  const std::size_t rounds = world.records().size();
  EXPECT_FALSE(world.crank([&] { return after(world, rounds + 1); }, 0.5)) << "it was folded all the same";
  fs::remove_all(world.state_of(1));
  fs::rename(world.state_of(1) + "-away", world.state_of(1));
  EXPECT_TRUE(identical(world.run().particles, wanted));
  EXPECT_EQ(world.states(), undisturbed.states());
}

// While the server runs and believes the agent to be at work: the letters that wait are for a state that is gone.
TEST(RelaySeats, AStateThatIsEmptiedBetweenTwoMessagesTakesNoTask) {
  RelayWorld world({.agents = 2, .rounds = 3});
  bool emptied = false;
  int uploads_of_the_empty = 0;
  world.fate = [&](int, const RelayDispatch& dispatch) {
    if (dispatch.node == "node-1" && dispatch.kind == RelayDispatch::Kind::kWork && after(world, 1) && !emptied) {
      fs::remove_all(world.state_of(1));
      emptied = true;
    }
    return Fate::kDelivered;
  };
  world.tamper = [&](const RelayDispatch& dispatch, Parcel answer) {
    if (emptied && dispatch.node == "node-1" && !answer.numbers.empty()) ++uploads_of_the_empty;
    return answer;
  };
  ASSERT_TRUE(world.crank([&] { return world.was_told("its data would count twice"); })) << world.all_told();
  EXPECT_EQ(uploads_of_the_empty, 0);
}

TEST(RelaySeats, AWordGivesTheLostFactorUpOnce) {
  RelayWorld world({.agents = 2, .rounds = 4});
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  world.stop_server();
  fs::remove_all(world.state_of(1));
  world.nodes["node-1"].forget_factor = "november";
  EXPECT_EQ(world.run().lost_rounds, 0);
  EXPECT_TRUE(world.was_told("has given its state up (--forget-factor)")) << world.all_told();
  // The same word, with the state lost again.
  const std::string kept = world.state_of(1);
  EXPECT_TRUE(fs::exists(kept + "/forgotten"));
  fs::remove(kept + "/agent.state");
  ASSERT_TRUE(world.crank([&] { return world.was_told("its data would count twice"); })) << world.all_told();
}

TEST(RelaySeats, SwappedStateFoldersAreRefused) {
  RelayWorld undisturbed({.agents = 2, .rounds = 4});
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world({.agents = 2, .rounds = 4});
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  world.stop_server();
  std::swap(world.nodes["node-0"].state, world.nodes["node-1"].state);
  ASSERT_TRUE(world.crank([&] { return world.was_told("the state folder is that of agent 1, and this is agent 0"); }))
      << world.all_told();
  std::swap(world.nodes["node-0"].state, world.nodes["node-1"].state);
  EXPECT_TRUE(identical(world.run().particles, wanted));
}

TEST(RelaySeats, SwappedRowsAreRefused) {
  RelayWorld world({.agents = 2, .rounds = 4});
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  world.stop_server();
  std::swap(world.nodes["node-0"].rows_of, world.nodes["node-1"].rows_of);
  ASSERT_TRUE(world.crank([&] { return world.was_told("the rows are others than those that this agent began with"); }))
      << world.all_told();
}

// The engine gives every start of a node another number; the seat is found by the agent's name.
TEST(RelaySeats, NodesMayComeBackUnderOtherNumbers) {
  RelayWorld undisturbed({.rounds = 4});
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world({.rounds = 4});
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  auto station = world.nodes.extract("node-1");
  station.key() = "node-77";
  world.nodes.insert(std::move(station));
  EXPECT_TRUE(identical(world.run().particles, wanted));
  EXPECT_TRUE(world.was_told("agent-1 (node node-1) is gone"));
}

TEST(RelaySeats, OfTwoNodesWithOneNameTheFirstKeepsTheSeatWhileItAnswers) {
  RelayWorld world({.agents = 2, .rounds = 3000});
  ASSERT_TRUE(world.crank([&] { return after(world, 1); }));
  world.nodes["other"] = {.name = "agent-1", .state = world.state_of(1) + "-other", .rows_of = 1};
  ASSERT_TRUE(world.crank([&] { return world.was_told("another agent named 'agent-1' is connected"); }))
      << world.all_told();
  const std::size_t rounds = world.records().size();
  EXPECT_TRUE(world.crank([&] { return after(world, rounds + 3); }));
}

TEST(RelaySeats, ANodeThatDoesNotAnswerLosesItsSeatToTheOneThatDoes) {
  RelayWorld undisturbed({.agents = 2, .rounds = 4});
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world({.agents = 2, .rounds = 4});
  bool dead = false;
  world.fate = [&](int, const RelayDispatch& dispatch) {
    return dead && dispatch.node == "node-1" ? Fate::kLostTask : Fate::kDelivered;
  };
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  dead = true;  // and the engine has not noticed
  world.nodes["node-9"] = world.nodes["node-1"];
  EXPECT_TRUE(identical(world.run().particles, wanted));
  EXPECT_TRUE(world.was_told("takes its seat")) << world.all_told();
}

// A slow engine: the node was asked for its name once more before the first answer came.
TEST(RelaySeats, ANameThatIsSaidTwiceIsHeardOnce) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.server().see({{"node-0", ""}});
  std::vector<RelayDispatch> asked = world.server().dispatches(0);
  for (const RelayDispatch& again : world.server().dispatches(0.5)) asked.push_back(again);
  ASSERT_EQ(asked.size(), 2U);
  for (const RelayDispatch& one : asked) world.server().take(one.serial, world.answer_of(one.node, one.parcel));
  EXPECT_EQ(world.run().rounds, 1);
  EXPECT_FALSE(world.was_told("refused")) << world.all_told();
}

TEST(RelaySeats, StrangersGetNothing) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.nodes["node-x"] = {.name = "mallory\n[31m", .state = world.state_of(7), .rows_of = 1};
  world.run();
  EXPECT_TRUE(world.was_told("it calls itself 'mallory\\x0a[31m', which is no name in `agents` of [server]"))
      << world.all_told();
  EXPECT_FALSE(fs::exists(world.state_of(7)));
}

// Its answers have no hello, so that nobody asks whether the seat is its own.
TEST(RelaySeats, ANodeThatOnlyClaimsANameReportsNothingInIt) {
  RelayWorld world({.agents = 2, .rounds = 3000});
  world.tamper = [](const RelayDispatch& dispatch, Parcel answer) {
    if (dispatch.node != "other") return answer;
    RelayAnswer forged = answer_from(answer, 1);
    forged.arrival.reset();
    forged.trouble.clear();
    forged.failures = {{1, 1, Failure::Kind::kDiverged, "forged words"}};
    forged.evaluations = {{1, {.rows = 50, .log_likelihood = -1}}};
    return parcel_of(forged);
  };
  ASSERT_TRUE(world.crank([&] { return after(world, 2); }));
  world.nodes["other"] = {.name = "agent-1", .state = world.state_of(1) + "-other", .rows_of = 1};
  ASSERT_TRUE(world.crank([&] {
    return world.was_told("forged words") || world.was_told("an answer without a hello");
  })) << world.all_told();
  EXPECT_FALSE(world.was_told("forged words")) << world.all_told();
  EXPECT_FALSE(world.was_told("report")) << world.all_told();
}

TEST(RelaySeats, AreBoundToKeysWhereThatIsAskedFor) {
  RelayWorld world({.agents = 2, .rounds = 3});
  world.options.binds_keys = true;
  ASSERT_TRUE(world.crank([&] { return world.was_told("the engine knows no key of its node"); }));
  world.nodes["node-0"].key = "key of north";
  world.nodes["node-1"].key = "key of south";
  ASSERT_TRUE(world.crank([&] { return after(world, 1); }));
  world.stop_server();
  // Names and states are swapped, and the nodes with them: only the keys tell.
  std::swap(world.nodes["node-0"].key, world.nodes["node-1"].key);
  ASSERT_TRUE(world.crank([&] { return world.was_told("the seat 'agent-0' is bound to the key of another node"); }))
      << world.all_told();
  world.nodes["node-0"].key = "key of north";
  world.nodes["node-1"].key = "key of south";
  EXPECT_EQ(world.run().rounds, 3);
}

// Two nodes that were asked for their name before either had the seat: the one with the other key is turned away, and
// the one that has it is asked nothing.
TEST(RelaySeats, AForeignKeyChallengesNobody) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.options.binds_keys = true;
  world.options.hub.probe_seconds = 60;
  world.nodes["first"] = world.nodes["second"] = world.nodes["node-0"];
  ServerRelay& server = world.server();
  const std::vector<RelayNode> present = {{"first", "key of north"}, {"second", "another key"}};
  server.see(present);
  const auto answer_all = [&](const std::vector<RelayDispatch>& sent) {
    for (const RelayDispatch& one : sent) server.take(one.serial, world.answer_of(one.node, one.parcel));
    return sent.size();
  };
  ASSERT_EQ(answer_all(server.dispatches(0)), 2U) << "both are asked for a name";
  ASSERT_EQ(answer_all(server.dispatches(0)), 2U) << "both are asked for a hello";
  EXPECT_TRUE(world.was_told("the seat 'agent-0' is bound to the key of another node")) << world.all_told();
  for (int i = 0; i < 10; ++i) {
    server.see(present);
    for (const RelayDispatch& one : server.dispatches(0.01)) EXPECT_NE(one.node, "first");
  }
}

// Every start of a node has another number, and strangers start all the time.
TEST(RelaySeats, NodesThatAreGoneAreForgotten) {
  RelayWorld world({.agents = 2, .rounds = 1});
  RelayHub hub(world.server().server().desk(), {}, nullptr);
  std::int64_t first_serial = 0;
  for (int start = 0; start < 1000; ++start) {
    hub.see({{"node-" + std::to_string(start), ""}, {"steady", ""}}, Clock::now());
    for (const RelayDispatch& one : hub.dispatches(Clock::now())) {
      if (one.node == "node-0") first_serial = one.serial;
    }
    ASSERT_LE(hub.nodes(), 64U + 2U);
  }
  ASSERT_GT(first_serial, 0);
  // What such a node says later is nobody's.
  hub.take(first_serial, parcel_of(RelayAnswer{.serial = first_serial, .name = "agent-0"}), Clock::now());
  EXPECT_TRUE(world.was_told("which nobody waits for")) << world.all_told();
  hub.fail(first_serial, Failure::Kind::kLost, "gone", Clock::now());
  // Whoever stays is remembered: it was asked for its name once and is not asked again.
  for (const RelayDispatch& one : hub.dispatches(Clock::now())) EXPECT_NE(one.node, "steady");
}

TEST(RelaySeats, AKeyHasOneSeat) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.options.binds_keys = true;
  world.nodes["node-0"].key = world.nodes["node-1"].key = "the same";
  ASSERT_TRUE(world.crank([&] { return world.was_told("its key is bound to the seat 'agent-0'"); }))
      << world.all_told();
}

}  // namespace
}  // namespace fedstein
