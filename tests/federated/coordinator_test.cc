// SPDX-License-Identifier: Apache-2.0
// The round loop against a network that misbehaves, with the smallest algorithm that would notice a mistake: every
// agent adds its number to the belief, and keeps the sum of what was folded of it.
#include "fedstein/federated/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/hand_cranked.h"

namespace fedstein {
namespace {

using Mishap = HandCrankedTransport::Mishap;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AddingAgent : public AgentSide {
 public:
  explicit AddingAgent(Real number) : number_(number) {}
  Update update(const Task& task) override {
    if (diverges) throw Divergence("as arranged");
    pending_ = task.round;
    return {task.round, task.agent, {Matrix(task.belief[0].array() + number_)}};
  }
  void settle(const Verdict& verdict, const Update& /*as_sent*/) override {
    const bool folded = pending_ == verdict.round && verdict.folded;
    pending_ = 0;
    if (folded) kept += number_;
    if (folded && diverges_in_settling) throw Divergence("settling, as arranged");
  }
  std::string save() const override { return {}; }
  void restore(const std::string& /*bytes*/) override {}
  Index state_size() const override { return 1; }

  Real kept = 0;
  bool diverges = false;
  bool diverges_in_settling = false;

 private:
  Real number_;
  Index pending_ = 0;
};

// Adds up the moves of all updates.
class AddingServer : public ServerSide {
 public:
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    std::vector<Task> tasks;
    for (const Index agent : agents) tasks.push_back({round, agent, version_, belief_, {}});
    return tasks;
  }
  std::string objection(const Update& update) const override { return objection_to(update, belief_); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    Matrix sum = belief_[0];
    std::vector<Verdict> verdicts;
    for (const Update& update : updates) {
      sum += update.belief[0] - belief_[0];
      verdicts.push_back({round, update.agent, true, 1});
      order.push_back(update.agent);
    }
    if (diverges_in_round == round) throw Divergence("fold, as arranged");
    belief_ = {sum};
    ++version_;
    return verdicts;
  }
  Particles particles() const override { return belief_[0]; }
  std::string save() const override { return {}; }
  void restore(const std::string& /*bytes*/) override {}

  std::vector<Index> order;  // in which updates were folded
  Index diverges_in_round = 0;

 private:
  Belief belief_{Matrix::Zero(2, 3)};
  Index version_ = 0;
};

class Everyone : public Scheduler {
 public:
  std::vector<Index> pick(Index /*round*/) const override { return {0, 1, 2}; }
};

class Records : public Observer {
 public:
  Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
    all.push_back(record);
    return record.round == stop_after ? Next::kStop : Next::kContinue;
  }
  std::vector<RoundRecord> all;
  Index stop_after = 0;
};

// Agents 0, 1, 2 add 1, 10, 100.
class Coordination : public testing::Test {
 protected:
  Real run(Index rounds, const Scheduler& scheduler, int retries = 0) {
    last_ = coordinate(server_, scheduler, network_, records_, {.rounds = rounds, .retries = retries});
    const Particles particles = server_.particles();
    EXPECT_TRUE(identical(particles, Matrix::Constant(2, 3, particles(0, 0))));
    // Whatever happened: what the server holds is what the agents think it holds.
    EXPECT_EQ(particles(0, 0), agents_[0].kept + agents_[1].kept + agents_[2].kept);
    return particles(0, 0);
  }
  std::vector<std::string> failures(std::size_t round) const {
    std::vector<std::string> texts;
    for (const Failure& failure : records_.all.at(round - 1).failures) {
      texts.push_back(std::to_string(failure.agent) + " " + name_of(failure.kind) + ": " + failure.reason);
    }
    return texts;
  }

  std::array<AddingAgent, 3> agents_{AddingAgent(1), AddingAgent(10), AddingAgent(100)};
  HandCrankedTransport network_{{&agents_[0], &agents_[1], &agents_[2]}};
  AddingServer server_;
  Records records_;
  Index last_ = 0;
};

TEST_F(Coordination, AQuietNetworkFoldsEveryone) {
  EXPECT_EQ(run(4, Everyone()), 4 * 111);
  EXPECT_THAT(records_.all[2].folded, ElementsAre(0, 1, 2));
  EXPECT_THAT(failures(3), IsEmpty());
  // 2 x 3 numbers to and from 3 agents.
  EXPECT_EQ(records_.all[0].bytes_down, static_cast<std::int64_t>(18 * sizeof(Real)));
  EXPECT_EQ(records_.all[0].bytes_up, static_cast<std::int64_t>(18 * sizeof(Real)));
}

TEST_F(Coordination, LostTasksAndRepliesTimeOutAndLeaveNoTrace) {
  network_.arrange(2, 0, Mishap::kDropTask);
  network_.arrange(3, 1, Mishap::kDropReply);
  EXPECT_EQ(run(4, Everyone()), 4 * 111 - 1 - 10);
  EXPECT_THAT(failures(2), ElementsAre("0 timed out: no reply before the deadline"));
  EXPECT_THAT(records_.all[2].folded, ElementsAre(0, 2));
}

TEST_F(Coordination, ALateReplyIsRefused) {
  network_.arrange(1, 2, Mishap::kDelay);
  EXPECT_EQ(run(3, Everyone()), 3 * 111 - 100);
  EXPECT_THAT(failures(2), ElementsAre(HasSubstr("2 refused: nobody waits for an update of agent 2, round 1")));
}

TEST_F(Coordination, ADuplicateCountsOnce) {
  network_.arrange(1, 1, Mishap::kDuplicate);
  EXPECT_EQ(run(3, Everyone()), 3 * 111);
  EXPECT_THAT(failures(1), ElementsAre(HasSubstr("1 refused")));
  EXPECT_THAT(failures(2), ElementsAre(HasSubstr("1 refused")));
}

TEST_F(Coordination, BadUpdatesAreRefusedWithTheReason) {
  network_.arrange(1, 0, Mishap::kNonFinite);
  network_.arrange(1, 1, Mishap::kMisshapen);
  network_.arrange(2, 0, Mishap::kWrongRound);
  network_.arrange(2, 1, Mishap::kStranger);
  EXPECT_EQ(run(2, Everyone()), 200);
  EXPECT_THAT(
      failures(1),
      ElementsAre("0 refused: matrix 0 holds nan in row 0, column 0", "1 refused: matrix 0 is 1 x 3, expected 2 x 3"));
  EXPECT_EQ(failures(2).size(), 4U);  // two refusals, two agents that never answered their task
}

TEST_F(Coordination, FailingAgentsAreCountedAndTheOthersGoOn) {
  network_.arrange(1, 0, Mishap::kFail);
  agents_[2].diverges = true;
  EXPECT_EQ(run(1, Everyone()), 10);
  EXPECT_THAT(failures(1), ElementsAre("0 broken: arranged", "2 diverged: as arranged"));
}

TEST_F(Coordination, TheOrderOfArrivalDoesNotMatter) {
  network_.reverse(1);
  EXPECT_EQ(run(1, Everyone()), 111);
  EXPECT_THAT(server_.order, ElementsAre(0, 1, 2));
}

TEST_F(Coordination, ARoundWithoutAGoodUpdateLeavesTheBeliefAlone) {
  for (const Index agent : {0, 1, 2}) network_.arrange(2, agent, Mishap::kDropReply);
  EXPECT_EQ(run(3, Everyone()), 2 * 111);
  EXPECT_THAT(records_.all[1].folded, IsEmpty());
  EXPECT_EQ(failures(2).size(), 3U);
}

TEST_F(Coordination, RetriesAskTheSameAgentsAgain) {
  network_.arrange(2, 1, Mishap::kFail);
  network_.arrange(2, 1, Mishap::kDropTask);
  EXPECT_EQ(run(3, RoundRobin(3), /*retries=*/2), 111);
  EXPECT_THAT(records_.all[1].folded, ElementsAre(1));
  EXPECT_EQ(failures(2).size(), 2U);
}

TEST_F(Coordination, AFoldThatDivergesIsARoundThatFailed) {
  server_.diverges_in_round = 2;
  EXPECT_EQ(run(3, Everyone()), 2 * 111);
  EXPECT_EQ(failures(2).size(), 3U);
}

TEST_F(Coordination, ASettlingThatDivergesIsRecordedAndTheRunGoesOn) {
  agents_[1].diverges_in_settling = true;
  EXPECT_EQ(run(2, Everyone()), 2 * 111);
  EXPECT_THAT(failures(2), ElementsAre("1 diverged: settling, as arranged"));
}

TEST_F(Coordination, AnObserverCanStopTheRun) {
  records_.stop_after = 2;
  EXPECT_EQ(run(10, Everyone()), 2 * 111);
  EXPECT_EQ(last_, 2);
}

TEST_F(Coordination, AgentsWorkAtTheSameTimeInProcess) {
  InProcessTransport transport({&agents_[0], &agents_[1], &agents_[2]});
  coordinate(server_, Everyone(), transport, records_, {.rounds = 5});
  EXPECT_EQ(server_.particles()(0, 0), 5 * 111);
}

TEST_F(Coordination, AReplyAfterTheDeadlineDoesNotCount) {
  InProcessTransport transport({&agents_[0], &agents_[1], &agents_[2]});
  coordinate(server_, Everyone(), transport, records_, {.rounds = 1, .patience = std::chrono::seconds(-1)});
  EXPECT_EQ(server_.particles()(0, 0), 0);
  EXPECT_EQ(failures(1).size(), 3U);
  EXPECT_EQ(agents_[0].kept, 0);
}

TEST(ParticleSpread, IsTheRootOfTheMeanVariance) {
  Matrix particles(2, 2);
  particles << 0, 5, 2, 5;
  EXPECT_NEAR(particle_spread(particles), std::sqrt(0.5), 1e-6);
  EXPECT_EQ(particle_spread(Matrix::Ones(1, 3)), 0);
}

}  // namespace
}  // namespace fedstein
