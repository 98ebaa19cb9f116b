// SPDX-License-Identifier: Apache-2.0
// What agents may say to a desk, and what it believes of it.
#include <limits>

#include "serving/toy_desk.h"

namespace fedstein {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class DeskCalls : public ToyDesk {
 protected:
  std::string refusal(const AgentFacts& facts) {
    const auto denial = desk_->attend(0, facts, {}, lines_[0]);
    return denial ? denial->reason : "";
  }
};

TEST_F(DeskCalls, AnUploadWhileTheServerStopsFindsItsSideAlive) {
  make(options(1));
  attend(0);
  auto loop = start(3, 3600);
  const Offer offer = lines_[0]->wait_for_offer(1);
  desk_->stop();
  EXPECT_THROW(loop.get(), ServingStopped);  // and nobody but the desk holds the server's side any more
  for (int again = 0; again < 100; ++again) {
    EXPECT_EQ(desk_->upload(0, answer(0, offer)).kind, Standing::Kind::kLater);
  }
  EXPECT_TRUE(journal_.contents().replies.empty());
}

TEST_F(DeskCalls, EnrolmentIsCheckedBeforeItIsJournalled) {
  make(options(2));
  AgentFacts much = facts(std::numeric_limits<Index>::max());
  EXPECT_THAT(refusal(much), HasSubstr("9223372036854775807 rows; at most 10000000 are allowed (most_rows"));
  AgentFacts wide = facts();
  wide.features = 3;
  EXPECT_THAT(refusal(wide), HasSubstr("its rows have 3 features; this federation's have 2"));
  AgentFacts empty = facts(0);
  EXPECT_THAT(refusal(empty), HasSubstr("no rows"));
  AgentFacts chatty = facts();
  chatty.statistics = "hello";
  EXPECT_THAT(refusal(chatty), HasSubstr("this federation's scaling needs none"));
  AgentFacts forged = facts();
  forged.algorithm = "toy\x1b[2J\nround 7 of 7";
  EXPECT_THAT(refusal(forged), HasSubstr("'toy\\x1b[2J\\x0around 7 of 7'"));
  EXPECT_TRUE(journal_.contents().enrolments.empty());
  EXPECT_EQ(refusal(facts()), "");
  EXPECT_EQ(journal_.contents().enrolments.size(), 1U);
}

TEST_F(DeskCalls, DataThatChangedNamesTheWayOut) {
  make(options(2));
  attend(0);
  EXPECT_THAT(refusal(facts(21)), HasSubstr("started once with --drop-enrolment agent-0"));
}

TEST_F(DeskCalls, AgentsHearTotalsOnly) {
  DeskOptions desk = options(2);
  desk.enrolment.objection = [](const AgentFacts&, const std::map<Index, Enrolment>&) { return std::string(); };
  desk.enrolment.total = [](const std::vector<std::string>& each) { return each.at(0) + "+" + each.at(1); };
  make(desk);
  for (Index agent = 0; agent < 2; ++agent) {
    AgentFacts mine = facts(20 + agent);
    mine.statistics = agent == 0 ? "a" : "b";
    ASSERT_FALSE(desk_->attend(agent, mine, {}, lines_[static_cast<std::size_t>(agent)]));
  }
  EXPECT_EQ(desk_->begin(std::make_shared<ToyServer>()), "a+b");
  const std::vector<Letter> letters = lines_[1]->letters();
  ASSERT_EQ(letters.size(), 1U);
  const auto& beginning = std::get<Beginning>(letters[0]);
  EXPECT_EQ(beginning.agents, 2);
  EXPECT_EQ(beginning.total_rows, 41);
  EXPECT_EQ(beginning.statistics, "a+b");
}

TEST_F(DeskCalls, AFailedSettlingCanBeReportedOnceForEachRoundThatCounts) {
  make(options(1));
  attend(0);
  auto loop = start(2, 3600);
  const Failure first{1, 0, Failure::Kind::kDiverged, "too far"};
  EXPECT_THAT(desk_->report_failure(0, first), HasSubstr("the last round of this agent that counts is 0"));
  desk_->upload(0, answer(0, lines_[0]->wait_for_offer(1)));
  const Offer second = lines_[0]->wait_for_offer(2);
  EXPECT_EQ(desk_->report_failure(0, first), "");
  for (int again = 0; again < 1000; ++again) EXPECT_NE(desk_->report_failure(0, first), "");
  desk_->upload(0, answer(0, second));
  const std::vector<RoundRecord> records = loop.get();
  ASSERT_EQ(records[1].failures.size(), 1U);
  EXPECT_EQ(records[1].failures[0].reason, "too far");
  EXPECT_EQ(desk_->status().agents[0].failures, 1);
}

TEST_F(DeskCalls, AnAgentThatCannotTakePartIsHeardOfBeforeItAttends) {
  make(options(1));
  EXPECT_EQ(desk_->report_failure(0, {0, 0, Failure::Kind::kBroken, "another table"}), "");
  EXPECT_EQ(desk_->status().agents[0].failures, 1);
  EXPECT_FALSE(desk_->status().agents[0].enrolled);
  const std::vector<std::string> lines = log();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("agent-0"));
  EXPECT_THAT(lines[0], HasSubstr("it cannot take part: another table"));
}

TEST_F(DeskCalls, EvaluationsAreTakenOfBeliefsThatThereAre) {
  DeskOptions desk = options(1);
  desk.evaluation.shape.bins = 1;
  std::vector<Index> heard;
  desk.evaluation.on_evaluated = [&](const EvaluatedRound& round) { heard.push_back(round.round); };
  make(desk);
  attend(0);
  const EvaluationReport good{.round = 1, .sums = {.rows = 10, .log_likelihood = -5, .bins = {{10, 8, 9}}, .brier = 3}};
  EXPECT_THAT(desk_->report_evaluation(0, good), HasSubstr("the last round that is over is 0"));
  auto loop = start(1, 3600);
  desk_->upload(0, answer(0, lines_[0]->wait_for_offer(1)));
  loop.get();
  EvaluationReport few = good;
  few.sums.rows = 9;
  EXPECT_THAT(desk_->report_evaluation(0, few), HasSubstr("over 9 test rows; at least 10 are needed"));
  EvaluationReport many = good;
  many.sums.rows = Index{1} << 62;
  EXPECT_THAT(desk_->report_evaluation(0, many), HasSubstr("more than 10000000 test rows (most_rows)"));
  EXPECT_TRUE(heard.empty());
  EXPECT_EQ(desk_->report_evaluation(0, good), "");
  EXPECT_THAT(heard, ElementsAre(1));
  const DeskStatus status = desk_->status();
  EXPECT_EQ(status.agents[0].evaluated_round, 1);
  EXPECT_EQ(status.agents[0].evaluated_rows, 10);
  ASSERT_TRUE(status.evaluated);
  EXPECT_EQ(status.evaluated->figures().at("accuracy"), 0.8);
}

TEST_F(DeskCalls, NobodyEvaluatesWhatPredictsNothing) {
  DeskOptions desk = options(1);
  desk.evaluation.predicts = false;
  make(desk);
  attend(0);
  EXPECT_THAT(desk_->report_evaluation(0, {.round = 1}), HasSubstr("the model of this federation predicts nothing"));
}

// A task that begins with the particles needs no copy of them; the methods whose tasks do not are in tests/apps.
TEST_F(DeskCalls, AnAgentThatEvaluatesIsNotGivenItsParticlesTwice) {
  DeskOptions desk = options(2);
  make(desk);
  AgentFacts evaluates = facts();
  evaluates.evaluates = true;
  ASSERT_FALSE(desk_->attend(0, evaluates, {}, lines_[0]));
  attend(1);
  auto loop = start(4, 3600);
  for (Index round = 1; round <= 4; ++round) {
    const Index agent = (round - 1) % 2;
    const Offer offer = lines_[static_cast<std::size_t>(agent)]->wait_for_offer(round);
    EXPECT_EQ(offer.predicting.size(), 0) << "the toy's task begins with its particles";
    desk_->upload(agent, answer(agent, offer));
  }
  loop.get();
}

TEST_F(DeskCalls, AnUpdateOutOfAllProportionIsRefusedAndSaid) {
  make(options(2));
  attend(0);
  attend(1);
  auto loop = start(2, 3600);
  const Offer first = lines_[0]->wait_for_offer(1);
  // Nothing to compare with but the belief, yet nobody's update is that large.
  const Standing standing = desk_->upload(0, {first.token, Update{1, 0, {Matrix::Constant(1, 1, -1e30_r)}}});
  EXPECT_EQ(standing.kind, Standing::Kind::kDropped);
  EXPECT_THAT(standing.reason, HasSubstr("(update_bound)"));
  desk_->upload(1, answer(1, lines_[1]->wait_for_offer(2)));
  const std::vector<RoundRecord> records = loop.get();
  EXPECT_TRUE(records[0].folded.empty());
  EXPECT_EQ(records[0].failures[0].kind, Failure::Kind::kRefused);
  EXPECT_THAT(records[1].folded, ElementsAre(1));
  EXPECT_EQ(desk_->status().agents[0].refusals.at("update"), 1);
  EXPECT_THAT(log(), Contains(HasSubstr("refused agent-0 (update): matrix 0 has a row of norm 1e+30")));
}

TEST_F(DeskCalls, AnAgentsOwnWordsReachLogAndRecordAsOneHarmlessLine) {
  make(options(1));
  attend(0);
  auto loop = start(1, 3600);
  const Offer offer = lines_[0]->wait_for_offer(1);
  desk_->upload(0, {offer.token, Failure{1, 0, Failure::Kind::kBroken, "no\nserving at 6.6.6.6\x1b[31m"}});
  loop.get();
  EXPECT_THAT(log(), Contains(HasSubstr("failure agent-0 (broken): round 1: no\\x0aserving at 6.6.6.6\\x1b[31m")));
}

}  // namespace
}  // namespace fedstein
