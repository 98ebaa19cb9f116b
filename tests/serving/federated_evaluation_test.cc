// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federated_evaluation.h"

#include <gmock/gmock.h>

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr EvaluationShape kShape{.bins = 2, .fewest_rows = 10, .most_rows = 1000};

EvaluationReport first(Index round) {
  return {.round = round,
          .sums = {.rows = 40, .log_likelihood = -20, .bins = {{10, 4, 4.5}, {30, 27, 25}}, .brier = 10}};
}
EvaluationReport second(Index round) {
  return {.round = round, .sums = {.rows = 20, .log_likelihood = -30, .bins = {{8, 5, 2}, {12, 6, 9}}, .brier = 14}};
}

TEST(FederatedEvaluation, HasTheFiguresOfAllRowsTogether) {
  FederatedEvaluation all(kShape);
  EXPECT_EQ(all.latest(), nullptr);
  EXPECT_EQ(all.take(0, first(3), 5), "");
  EXPECT_EQ(all.take(2, second(3), 5), "");
  const EvaluatedRound* found = all.latest();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->round, 3);
  EXPECT_THAT(found->agents, ElementsAre(0, 2));
  const std::map<std::string, double> figures = found->figures();
  EXPECT_EQ(figures.at("rows"), 60);
  EXPECT_EQ(figures.at("agents"), 2);
  EXPECT_DOUBLE_EQ(figures.at("accuracy"), 42.0 / 60);
  EXPECT_DOUBLE_EQ(figures.at("log_likelihood"), -50.0 / 60);
  EXPECT_DOUBLE_EQ(figures.at("brier"), 24.0 / 60);
  EXPECT_DOUBLE_EQ(figures.at("confidence"), 40.5 / 60);
  // The gaps are |9 - 6.5| and |33 - 34|.
  EXPECT_DOUBLE_EQ(figures.at("ece"), 3.5 / 60);
  EXPECT_DOUBLE_EQ(figures.at("mce"), 2.5 / 18);
}

TEST(FederatedEvaluation, CountsAnAgentOnceAndKeepsItsFirstWord) {
  FederatedEvaluation all(kShape);
  EXPECT_EQ(all.take(0, first(3), 5), "");
  EXPECT_EQ(all.take(0, first(3), 5), "");
  EXPECT_EQ(all.take(0, second(3), 5), "");
  EXPECT_EQ(all.of(3)->sums.rows, 40);
  EXPECT_EQ(all.last_of(0), 3);
  EXPECT_EQ(all.last_of(1), 0);
}

TEST(FederatedEvaluation, LatestIsTheBeliefThatMostAgentsEvaluatedLast) {
  FederatedEvaluation all(kShape);
  for (const Index agent : {0, 1, 2}) EXPECT_EQ(all.take(agent, first(3), 5), "");
  EXPECT_EQ(all.take(2, first(4), 5), "");
  EXPECT_EQ(all.latest()->round, 3);
  EXPECT_EQ(all.latest()->agents.size(), 3U);
  EXPECT_EQ(all.take(1, first(4), 5), "");
  EXPECT_EQ(all.latest()->round, 4);
}

TEST(FederatedEvaluation, OfTwoAgentsTheFasterOneDoesNotShowItsOwnFiguresInBetween) {
  FederatedEvaluation all(kShape);
  for (const Index agent : {0, 1}) EXPECT_EQ(all.take(agent, first(3), 9), "");
  EXPECT_EQ(all.take(0, first(4), 9), "");
  EXPECT_EQ(all.latest()->round, 3);
  EXPECT_EQ(all.take(1, first(4), 9), "");
  EXPECT_EQ(all.latest()->round, 4);
  // One that has gone holds nothing up.
  for (const Index round : {5, 6}) EXPECT_EQ(all.take(0, first(round), 9), "");
  EXPECT_EQ(all.latest()->round, 6);
}

// One agent's lie is refused, and the others' figures are as without it.
TEST(FederatedEvaluation, RefusesRoundsThatAreNotThereOrLongOver) {
  FederatedEvaluation all(kShape);
  EXPECT_THAT(all.take(0, first(0), 5), HasSubstr("an evaluation of round 0; the last round that is over is 5"));
  EXPECT_THAT(all.take(0, first(6), 5), HasSubstr("the last round that is over is 5"));
  EXPECT_THAT(all.take(0, first(Index{1} << 62), 5), HasSubstr("the last round that is over is 5"));
  EXPECT_THAT(all.take(0, first(-1), 5), HasSubstr("round -1"));
  EXPECT_THAT(all.take(0, first(44), 300), HasSubstr("it comes too late: the oldest round that is still taken is 45"));
  EXPECT_EQ(all.latest(), nullptr);
  EXPECT_EQ(all.take(0, first(45), 300), "");
}

TEST(FederatedEvaluation, MemoryDoesNotGrowWithTheRounds) {
  FederatedEvaluation all(kShape);
  for (Index round = 1; round <= 2000; ++round) EXPECT_EQ(all.take(0, first(round), round), "");
  EXPECT_EQ(all.of(1700), nullptr);
  EXPECT_NE(all.of(2000), nullptr);
}

TEST(FederatedEvaluation, AnAgentThatIsRefusedLeavesTheOthersFiguresAlone) {
  FederatedEvaluation all(kShape);
  EXPECT_EQ(all.take(0, first(3), 5), "");
  EvaluationReport lie = first(3);
  lie.sums.rows = 4;
  EXPECT_EQ(all.take(1, lie, 5),
            "an evaluation of round 3 over 4 test rows; at least 10 are needed, or they would nearly show the rows");
  EXPECT_THAT(all.of(3)->agents, ElementsAre(0));
  EXPECT_EQ(all.take(1, first(3), 5), "");  // and it may still tell the truth
}

}  // namespace
}  // namespace fedstein
