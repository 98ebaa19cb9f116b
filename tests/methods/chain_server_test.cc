// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/langevin/chain_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "fedstein/federated/scheduler.h"
#include "fedstein/federated/state.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kDimension = 3;

Update returned(const Task& task) {
  return {task.round, task.agent, task.belief};
}

std::vector<Update> returned(const std::vector<Task>& tasks) {
  std::vector<Update> updates;
  for (const Task& task : tasks) updates.push_back(returned(task));
  return updates;
}

Index spread_of(const std::vector<Index>& turns) {
  const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
  return *most - *least;
}

struct Shape {
  Index chains;
  Index agents;
  Index a_round;  // agents of a round; 1: in turn
};

class Dealing : public testing::TestWithParam<Shape> {};

TEST_P(Dealing, IsEvenAndLetsEveryChainMeetEveryAgent) {
  const auto [chains, agents, a_round] = GetParam();
  ChainServer server(random_matrix(chains, kDimension, 1), agents, 5);
  const RoundRobin in_turn(agents);
  const RandomFraction some(agents, static_cast<double>(a_round) / static_cast<double>(agents), 5);
  std::set<std::pair<Index, Index>> met;
  Index dealt = 0;
  for (Index round = 1; round <= 1500; ++round) {
    const std::vector<Index> picked = a_round == 1 ? in_turn.pick(round) : some.pick(round);
    const std::vector<Task> tasks = server.plan(round, picked);
    std::set<Index> in_round;
    for (const Task& task : tasks) {
      ASSERT_EQ(std::count(picked.begin(), picked.end(), task.agent), 1);
      for (Index m = 0; m < task.belief[0].rows(); ++m) {
        const auto chain = static_cast<Index>(task.belief[1](m, 0));
        ASSERT_TRUE(in_round.insert(chain).second) << "chain " << chain << " is dealt twice in round " << round;
        EXPECT_TRUE(identical(Matrix(task.belief[0].row(m)), Matrix(server.particles().row(chain))));
        met.emplace(chain, task.agent);
      }
    }
    const Index share = (chains + agents - 1) / agents;
    ASSERT_EQ(static_cast<Index>(in_round.size()), std::min(chains, share * static_cast<Index>(picked.size())));
    for (const Update& update : returned(tasks)) ASSERT_EQ(server.objection(update), "");
    server.fold(round, returned(tasks));
    dealt += static_cast<Index>(in_round.size());
    ASSERT_LE(spread_of(server.turns()), 1) << "round " << round;
  }
  EXPECT_EQ(std::accumulate(server.turns().begin(), server.turns().end(), Index{0}), dealt);
  EXPECT_EQ(static_cast<Index>(met.size()), chains * agents);
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         Dealing,
                         testing::Values(Shape{6, 2, 1},
                                         Shape{6, 4, 1},
                                         Shape{6, 20, 1},
                                         Shape{5, 5, 1},
                                         Shape{1, 3, 1},
                                         Shape{6, 2, 2},
                                         Shape{6, 4, 3},
                                         Shape{6, 20, 20},
                                         Shape{6, 30, 6}),
                         [](const auto& shape) {
                           return "N" + std::to_string(shape.param.chains) + "K" + std::to_string(shape.param.agents) +
                                  "S" + std::to_string(shape.param.a_round);
                         });

TEST(ChainServer, PlansTheSameRoundAlikeAndKeepsTheTurnOfLostChains) {
  ChainServer server(random_matrix(4, kDimension, 1), 4, 5);
  const Task lost = server.plan(1, {2}).front();
  EXPECT_TRUE(identical(server.plan(1, {2}).front().belief[1], lost.belief[1]));
  EXPECT_EQ(lost.version, 0);
  for (Index round = 2; round <= 5; ++round) server.fold(round, returned(server.plan(round, {round - 2})));
  EXPECT_EQ(server.turns(), (std::vector<Index>{1, 1, 1, 1}));
  EXPECT_EQ(server.plan(6, {0}).front().version, 1);
}

TEST(ChainServer, PutsChainsBackWhereTheyCameFrom) {
  ChainServer server(Matrix::Zero(5, kDimension), 2, 5);
  std::vector<Task> tasks = server.plan(1, {0});
  ASSERT_EQ(tasks.front().belief[0].rows(), 3);
  Update update = returned(tasks.front());
  for (Index m = 0; m < 3; ++m) update.belief[0].row(m).setConstant(update.belief[1](m, 0) + 10);
  EXPECT_TRUE(server.fold(1, {update}).front().folded);
  Index moved = 0;
  for (Index chain = 0; chain < 5; ++chain) {
    const Real value = server.particles()(chain, 0);
    if (value == 0) continue;
    EXPECT_EQ(value, static_cast<Real>(chain + 10));
    ++moved;
  }
  EXPECT_EQ(moved, 3);
}

TEST(ChainServer, ObjectsToWhatIsNotItsChains) {
  const ChainServer server(random_matrix(5, kDimension, 1), 2, 5);
  const Update good = returned(server.plan(1, {0}).front());
  EXPECT_EQ(server.objection(good), "");
  const auto objection = [&](const std::function<void(Belief&)>& spoil) {
    Update bad = good;
    spoil(bad.belief);
    return server.objection(bad);
  };
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(objection([](Belief& b) { b.pop_back(); }), "1 matrices, expected 2");
  EXPECT_EQ(objection([](Belief& b) { b[0].resize(0, kDimension); }), "0 chains, expected 1 to 3");
  EXPECT_EQ(objection([](Belief& b) { b[0] = Matrix::Zero(4, kDimension); }), "4 chains, expected 1 to 3");
  EXPECT_EQ(objection([](Belief& b) { b[0] = Matrix::Zero(3, 2); }), "matrix 0 is 3 x 2, expected 3 x 3");
  EXPECT_NE(objection([&](Belief& b) { b[0](1, 1) = nan; }), "");
  EXPECT_NE(objection([&](Belief& b) { b[1](1, 0) = nan; }), "");
  EXPECT_EQ(objection([](Belief& b) { b[1](0, 0) = 5; }), "chain number 5, expected an integer from 0 to 4");
  EXPECT_EQ(objection([](Belief& b) { b[1](0, 0) = -1; }), "chain number -1, expected an integer from 0 to 4");
  EXPECT_EQ(objection([](Belief& b) { b[1](0, 0) = 0.5_r; }), "chain number 0.5, expected an integer from 0 to 4");
  EXPECT_NE(objection([](Belief& b) { b[1](0, 0) = b[1](1, 0); }).find("is there twice"), std::string::npos);
}

TEST(ChainServer, AnAgentReturnsTheChainsThatItWasDealt) {
  const ChainServer server(random_matrix(6, kDimension, 1), 3, 5);
  const std::vector<Task> tasks = server.plan(1, {0, 1, 2});
  EXPECT_EQ(server.answer_objection(returned(tasks[0]), tasks[0]), "");
  Update stolen = returned(tasks[1]);
  stolen.agent = 0;
  EXPECT_NE(server.answer_objection(stolen, tasks[0]).find("was not dealt to this agent"), std::string::npos);
}

TEST(ChainServer, FoldsAChainOnceARound) {
  ChainServer server(random_matrix(4, kDimension, 1), 2, 5);
  const std::vector<Task> tasks = server.plan(1, {0, 1});
  const Update first = returned(tasks[0]);
  Update thief = first;
  thief.agent = 1;
  thief.belief[0].setConstant(99);
  const std::vector<Verdict> verdicts = server.fold(1, {first, thief});
  EXPECT_TRUE(verdicts[0].folded);
  EXPECT_FALSE(verdicts[1].folded);
  EXPECT_LT(server.particles().maxCoeff(), 99);
}

TEST(ChainServer, RefusesTheStateOfAnotherShape) {
  ChainServer server(random_matrix(4, kDimension, 1), 2, 5);
  const std::string saved = server.save();
  EXPECT_THROW(server.restore(ChainServer(random_matrix(5, kDimension, 1), 2, 5).save()), BadState);
  EXPECT_EQ(server.save(), saved);
}

}  // namespace
}  // namespace fedstein
