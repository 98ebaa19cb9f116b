// SPDX-License-Identifier: Apache-2.0
// What the two halves say and refuse, one rule at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "exchange/toy_sides.h"
#include "fedstein/exchange/agent_session.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/exchange/server_session.h"
#include "fedstein/federated/message_bytes.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Standing::Kind;

struct MemoryDisk : AgentDisk {
  std::optional<std::string> read() const override { return record; }
  void replace(const std::string& bytes) override { record = bytes; }
  std::string set_aside() override {
    record.reset();
    return {};
  }
  std::optional<std::string> record;
};

// A server with round 1 open for agents 0 and 1, both attached, agent 0 with an offer.
class Session : public testing::Test {
 protected:
  void SetUp() override {
    session_.open(server_.plan(1, {0, 1}));
    for (const Index agent : {0, 1}) ASSERT_THAT(session_.on_hello(agent, {}, journal_), IsEmpty());
    offer_ = session_.offer({0}, journal_).at(0);
  }
  Upload good() const { return {offer_.token, Update{1, 0, {Matrix::Constant(1, 1, 5)}}}; }
  ServerSession::Receipt upload(Index agent, const Upload& upload) {
    return session_.on_upload(agent, upload, server_, journal_);
  }
  void close_with_agent_0() {
    ASSERT_EQ(upload(0, good()).standing.kind, Kind::kHeld);
    session_.take(journal_, Failure::Kind::kTimedOut, "deadline");
    session_.close(server_.fold(1, {std::get<Update>(good().reply)}), {{}, server_.save()}, journal_);
  }

  ToyServer server_;
  MemoryJournal journal_{"run-1"};
  ServerSession session_{journal_.load(), {.most_bytes = 64, .norm_bound = 1000}};
  Offer offer_;
};

TEST_F(Session, AGoodUploadIsHeldAndDoublesAreHarmless) {
  EXPECT_EQ(upload(0, good()).standing.kind, Kind::kHeld);
  const auto again = upload(0, good());
  EXPECT_EQ(again.standing.kind, Kind::kHeld);
  EXPECT_EQ(again.suspicion.kind, "replayed");
  EXPECT_EQ(session_.updates_held(), 1);
}

TEST_F(Session, AReplayAfterTheRoundIsToldTheTruth) {
  close_with_agent_0();
  const auto receipt = upload(0, good());
  EXPECT_EQ(receipt.standing.kind, Kind::kFolded);
  EXPECT_EQ(receipt.suspicion.kind, "replayed");
  EXPECT_EQ(session_.closed_round(), 1);
}

TEST_F(Session, OutOfTurnAndForeignTokensAreDropped) {
  EXPECT_EQ(upload(1, good()).suspicion.kind, "late");  // agent 0's token in agent 1's hand
  Upload future = good();
  future.token = 99;
  EXPECT_EQ(upload(0, future).suspicion.kind, "out-of-turn");
  EXPECT_EQ(session_.updates_held(), 0);
  EXPECT_EQ(upload(0, good()).standing.kind, Kind::kHeld);
}

TEST_F(Session, WhatFailsTheChecksBecomesARefusal) {
  const auto refused = [&](const Reply& reply) {
    MemoryJournal journal = journal_;
    ServerSession session = session_;
    const auto receipt = session.on_upload(0, {offer_.token, reply}, server_, journal);
    EXPECT_EQ(receipt.standing.kind, Kind::kDropped);
    EXPECT_EQ(session.updates_held(), 0);
    return receipt.suspicion.kind;
  };
  const auto value = [](Real number) { return Belief{Matrix::Constant(1, 1, number)}; };
  EXPECT_EQ(refused(Update{2, 0, value(5)}), "round");
  EXPECT_EQ(refused(Update{1, 1, value(5)}), "author");
  EXPECT_EQ(refused(Update{1, 0, {Matrix::Zero(10, 10)}}), "size");
  EXPECT_EQ(refused(Update{1, 0, value(1001)}), "norm");
  EXPECT_EQ(refused(Update{1, 0, value(std::numeric_limits<Real>::quiet_NaN())}), "non-finite");
  EXPECT_EQ(refused(Update{1, 0, value(std::numeric_limits<Real>::infinity())}), "non-finite");
  EXPECT_EQ(refused(Update{1, 0, {Matrix::Zero(2, 1)}}), "shape");
  EXPECT_EQ(refused(Update{1, 0, {}}), "shape");
}

TEST_F(Session, AFailureIsAReply) {
  EXPECT_EQ(upload(0, {offer_.token, Failure{1, 0, Failure::Kind::kDiverged, "x"}}).standing.kind, Kind::kHeld);
  EXPECT_EQ(session_.updates_held(), 0);
  EXPECT_THAT(session_.missing(), testing::ElementsAre(1));
}

TEST_F(Session, StateOlderThanTheRecordIsTurnedAwayUntilForgotten) {
  close_with_agent_0();
  EXPECT_THAT(session_.on_hello(0, {}, journal_), HasSubstr("its data would count twice"));
  EXPECT_THAT(session_.idle(), IsEmpty());
  EXPECT_THROW_MESSAGE(session_.offer({0}, journal_), InvalidArgument, "is not idle");
  EXPECT_THAT(session_.on_hello(0, {.run = "run-1", .settled = 1}, journal_), IsEmpty());
  EXPECT_EQ(journal_.times_forgotten(), 0);
  EXPECT_THAT(session_.on_hello(0, {.forgets = true}, journal_), IsEmpty());
  EXPECT_EQ(journal_.times_forgotten(), 1);
  for (int again = 0; again < 100; ++again) session_.on_hello(0, {.forgets = true}, journal_);
  EXPECT_EQ(journal_.times_forgotten(), 1) << "the journal does not grow with what an agent says";
}

TEST_F(Session, AnUploadWithoutItsVerdictCatchesUp) {
  close_with_agent_0();
  const Hello hello{.run = "run-1", .settled = 0, .in_hand = Attempt{1, offer_.token}};
  EXPECT_THAT(session_.on_hello(0, hello, journal_), IsEmpty());
  EXPECT_EQ(session_.standing(0, *hello.in_hand).kind, Kind::kFolded);
  const Hello stale{.run = "run-1", .settled = 0, .in_hand = Attempt{1, offer_.token + 1}};
  EXPECT_THAT(session_.on_hello(0, stale, journal_), HasSubstr("count twice"));
}

TEST_F(Session, StateOfAnotherFederationOrOfTheFutureIsTurnedAway) {
  EXPECT_THAT(session_.on_hello(0, {.run = "run-2"}, journal_), HasSubstr("run-2"));
  EXPECT_THAT(session_.on_hello(0, {.run = "run-1", .settled = 4}, journal_), HasSubstr("ahead of the server"));
  EXPECT_THAT(session_.on_hello(0, {.run = "run-1", .in_hand = Attempt{3, 9}}, journal_), HasSubstr("ahead"));
}

TEST_F(Session, ARestartKnowsTokensAndReplies) {
  upload(0, good());
  ServerSession again(journal_.load());
  EXPECT_EQ(again.standing(0, {1, offer_.token}).kind, Kind::kHeld);
  again.open(server_.plan(1, {0, 1}));
  ASSERT_THAT(again.on_hello(1, {}, journal_), IsEmpty());
  EXPECT_GT(again.offer({1}, journal_).at(1).token, offer_.token);
}

TEST_F(Session, BeforeTheRoundOpensAnUploadIsAskedForLater) {
  ServerSession again(journal_.load());
  EXPECT_EQ(again.on_upload(0, good(), server_, journal_).standing.kind, Kind::kLater);
}

TEST_F(Session, ALapsedTokenIsDeadForGood) {
  session_.on_lapse(0, OnLapse::kWait, journal_);
  EXPECT_EQ(upload(0, good()).standing.kind, Kind::kDropped);
  ServerSession again(journal_.load());
  again.open(server_.plan(1, {0, 1}));
  EXPECT_EQ(again.on_upload(0, good(), server_, journal_).standing.kind, Kind::kDropped);
}

TEST_F(Session, ASkippedAgentIsTooLate) {
  session_.on_lapse(0, OnLapse::kSkip, journal_);
  EXPECT_THAT(session_.missing(), testing::ElementsAre(1));
  EXPECT_EQ(upload(0, good()).standing.kind, Kind::kDropped);
}

TEST(AgentSessionTest, HasItsUpdateOnDiskBeforeItIsSent) {
  ToyAgent side(0);
  ToyServer server;
  MemoryDisk disk;
  AgentSession session("run-1", 0, 0);
  const auto upload = session.on_offer({7, server.plan(1, {0})[0]}, side, disk);
  ASSERT_TRUE(upload && disk.record);
  ToyAgent restored(0);
  const AgentSession again(agent_record_from(*disk.record), restored);
  EXPECT_EQ(again.hello().in_hand->token, 7);
  EXPECT_EQ(again.pending()->reply.index(), upload->reply.index());
  EXPECT_EQ(restored.save(), side.save());
}

TEST(AgentSessionTest, TakesNoWorkWhileAVerdictIsOutAndIgnoresStrangeOnes) {
  ToyAgent side(0);
  ToyServer server;
  MemoryDisk disk;
  AgentSession session("run-1", 0, 0);
  const Task task = server.plan(1, {0})[0];
  session.on_offer({7, task}, side, disk);
  EXPECT_FALSE(session.on_offer({8, task}, side, disk));
  const std::string before = *disk.record;
  session.on_standing({1, 8}, {Kind::kFolded, 1, {}}, side, disk);
  EXPECT_EQ(*disk.record, before);
  session.on_standing({1, 7}, {Kind::kFolded, 1, {}}, side, disk);
  EXPECT_EQ(session.settled(), 1);
  EXPECT_FALSE(session.on_offer({9, task}, side, disk));  // a round that is settled
}

TEST(AgentRecordTest, DamageIsNoticed) {
  AgentRecord record{.run = "r", .agent = 1, .settled = 2, .side_state = "s", .pending = {}};
  record.pending = Upload{3, Failure{3, 1, Failure::Kind::kDiverged, "why"}};
  std::string bytes = bytes_of(record);
  EXPECT_EQ(bytes_of(agent_record_from(bytes)), bytes);
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_THROW_MESSAGE(agent_record_from(bytes), BadState, "damaged");
}

}  // namespace
}  // namespace fedstein
