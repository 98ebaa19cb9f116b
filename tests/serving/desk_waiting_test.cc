// SPDX-License-Identifier: Apache-2.0
// For whom a round waits: deadlines that nobody outwits by heartbeats, revoked agents, a network that is away.
#include <atomic>

#include "serving/toy_desk.h"

namespace fedstein {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class DeskWaiting : public ToyDesk, public testing::WithParamInterface<OnLapse> {
 protected:
  // Heartbeats of an agent that never does anything else.
  class Beating {
   public:
    Beating(ServerDesk& desk, Index agent)
        : thread_([&desk, agent, this] {
            while (!over_) {
              desk.beat(agent, 0, 1);
              std::this_thread::yield();
            }
          }) {}
    ~Beating() {
      over_ = true;
      thread_.join();
    }

   private:
    std::atomic<bool> over_{false};
    std::thread thread_;
  };
};

TEST_P(DeskWaiting, AnAgentThatBeatsAndNeverAnswersCostsTwoDeadlinesInAllNotOneARound) {
  DeskOptions desk = options(2);
  desk.on_lapse = GetParam();
  desk.lease_seconds = 0.5;
  make(desk);
  attend(0);
  attend(1);
  const auto start_time = Clock::now();
  std::vector<RoundRecord> records;
  {
    const Beating honest(*desk_, 0);
    const Beating liar(*desk_, 1);
    auto loop = start(6, 4);
    records = work(loop, {0});
  }
  ASSERT_EQ(records.size(), 6U);
  for (std::size_t i = 0; i < records.size(); ++i) EXPECT_EQ(records[i].folded.size(), i % 2 == 0 ? 1U : 0U) << i;
  EXPECT_EQ(records[1].failures[0].kind, Failure::Kind::kTimedOut);
  // 4 s, then 2 s, then no less than 2 s.
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start_time).count(), 11);
  EXPECT_EQ(desk_->status().agents[1].missed_deadlines, 3);
  EXPECT_THAT(log(), Contains(HasSubstr("deadline agent-1 (no update): round 2: it is connected, but its update")));
}
INSTANTIATE_TEST_SUITE_P(Policies, DeskWaiting, testing::Values(OnLapse::kWait, OnLapse::kSkip), [](const auto& which) {
  return which.param == OnLapse::kWait ? "wait" : "skip";
});

TEST_F(DeskWaiting, ARevokedAgentLeavesTheScheduleAndTheLogSaysWhy) {
  make(options(3));
  std::atomic<bool> revoked{false};
  desk_->ask_for_bars([&](Index agent) {
    return agent == 1 && revoked ? std::string("the certificate of 'agent-1' is revoked") : std::string();
  });
  for (Index agent = 0; agent < 3; ++agent) attend(agent);
  auto loop = start(6, 3600);
  desk_->upload(0, answer(0, lines_[0]->wait_for_offer(1)));
  lines_[1]->wait_for_offer(2);
  revoked = true;  // with its task in hand
  const std::vector<RoundRecord> records = work(loop, {0, 2});
  ASSERT_EQ(records.size(), 6U);
  EXPECT_TRUE(records[1].folded.empty());
  EXPECT_THAT(records[1].failures[0].reason, HasSubstr("is revoked"));
  EXPECT_THAT(records[4].scheduled, ElementsAre(2)) << "its turn goes to the next";
  EXPECT_THAT(records[4].folded, ElementsAre(2));
  EXPECT_TRUE(lines_[1]->hung_up());
  EXPECT_THAT(desk_->status().agents[1].bar, HasSubstr("is revoked"));
  EXPECT_THAT(log(), Contains(HasSubstr("revocation agent-1 (left): the certificate of 'agent-1' is revoked")));
}

TEST_F(DeskWaiting, WithoutAnyAgentThatMayTakePartTheRunEndsWithAReason) {
  make(options(1));
  attend(0);
  desk_->ask_for_bars([](Index) { return std::string("the certificate of 'agent-0' is revoked"); });
  auto loop = start(3, 3600);
  EXPECT_THROW(loop.get(), NobodyLeft);
}

TEST_F(DeskWaiting, ANetworkThatIsAwaySpendsNoRounds) {
  make(options(2));
  for (Index agent = 0; agent < 2; ++agent) {
    attend(agent);
    desk_->detach(agent, lines_[static_cast<std::size_t>(agent)].get());
  }
  auto loop = start(2, 0.05);
  while (desk_->status().agents[0].missed_deadlines == 0) std::this_thread::yield();
  EXPECT_EQ(desk_->status().closed_round, 0);
  attend(1);  // somebody is there: it is agent 0 that is away
  const std::vector<RoundRecord> records = work(loop, {1});
  EXPECT_TRUE(records[0].folded.empty());
  EXPECT_THAT(records[1].folded, ElementsAre(1));
}

TEST_F(DeskWaiting, AQuorumThatIsAskedForIsWaitedFor) {
  DeskOptions desk = options(2);
  desk.quorum = 1;
  make(desk);
  attend(0);
  attend(1);
  auto loop = start(1, 0.05);
  const Offer offer = lines_[0]->wait_for_offer(1);
  while (desk_->status().agents[0].missed_deadlines == 0) std::this_thread::yield();
  EXPECT_EQ(desk_->status().closed_round, 0);
  EXPECT_EQ(desk_->upload(0, answer(0, offer)).kind, Standing::Kind::kHeld);
  EXPECT_THAT(loop.get()[0].folded, ElementsAre(0));
}

}  // namespace
}  // namespace fedstein
