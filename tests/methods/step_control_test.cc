// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/step_control.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/throws.h"

namespace fedstein {
namespace {

using Judgement = StepControl::Judgement;
using Overflow = BeliefReport::Overflow;

// All of two agents, the same value.
std::vector<BeliefReport> both(double likelihood, Overflow overflow = Overflow::kNone) {
  return {{.agent = 0, .weight = 0.5, .likelihood = likelihood, .prior = 0, .overflow = Overflow::kNone},
          {.agent = 1, .weight = 0.5, .likelihood = likelihood, .prior = 0, .overflow = overflow}};
}

std::string saved(const StepControl& control) {
  StateWriter writer("control");
  control.write(writer);
  return std::move(writer).finish();
}

TEST(StepControl, GrowsWhileReportsRise) {
  StepControl control(2, 0.2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(control.judge(both(-1 + 0.05 * i)), Judgement::kKeep);
  EXPECT_NEAR(control.step(), 0.2 * std::pow(1.1, 9), 1e-12);  // the first report has nothing to be compared with
}

TEST(StepControl, GrowsFasterWhereItIsTold) {
  StepControl control(2, 0.2);
  control.grow_first_by(kFirstGrowth);
  for (int i = 0; i < 10; ++i) control.judge(both(-1 + 0.01 * i));
  EXPECT_NEAR(control.step(), 0.2 * std::pow(1.2, 9), 1e-12);
}

TEST(StepControl, GrowsMoreSlowlyOnceSomethingHasFallen) {
  StepControl control(2, 0.2);
  control.judge(both(-1));
  control.judge(both(-1.01));  // falls, and costs nothing so early
  EXPECT_NEAR(control.step(), 0.2, 1e-12);
  control.judge(both(-0.9));
  EXPECT_NEAR(control.step(), 0.2 * 1.05, 1e-12);
}

TEST(StepControl, DiesOutWhereHalfOfTheRoundsFall) {
  StepControl control(2, 0.2);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(control.judge(both(i % 2 == 0 ? -0.5 : -0.501)), Judgement::kKeep);
  EXPECT_LT(control.step(), 0.2 * 1e-3);
  EXPECT_GT(control.step(), 0);
}

// Three of ten rounds fall, and yet there is progress: nothing freezes.
TEST(StepControl, KeepsItsStepWhileThereIsProgress) {
  StepControl control(2, 0.2);
  double value = -1;
  for (int i = 0; i < 60; ++i) {
    value += i % 3 == 0 ? -0.005 : 0.01;
    control.judge(both(value));
  }
  EXPECT_GT(control.step(), 0.2);
}

TEST(StepControl, AClearFallIsUndoneOnceForEveryHalving) {
  StepControl control(2, 0.2);
  control.judge(both(-1));
  control.judge(both(-0.99));
  const double before = control.step();
  EXPECT_EQ(control.judge(both(-2)), Judgement::kUndo);
  EXPECT_EQ(control.step(), before / 2);
  // The belief before comes again. Its report is no news, and leaves the step as it is.
  EXPECT_EQ(control.judge(both(-0.99)), Judgement::kKeep);
  EXPECT_EQ(control.step(), before / 2);
}

TEST(StepControl, AgentsThatAlwaysReportAFallCannotHoldItForEver) {
  StepControl control(2, 0.2);
  double value = -1;
  control.judge(both(value));
  control.judge(both(value));
  int undone = 0;
  for (int i = 0; i < 22; ++i) undone += control.judge(both(value *= 2)) == Judgement::kUndo;
  EXPECT_EQ(undone, 20);
}

// A belief that was led far away: the steps from there overflow, whatever their size.
TEST(StepControl, AFallIsUndoneWhereStepsOverflowToo) {
  StepControl control(2, 0.2);
  control.judge(both(-1));
  control.judge(both(-0.99));
  EXPECT_EQ(control.judge(both(-30, Overflow::kOfSteps)), Judgement::kUndo);
}

TEST(StepControl, OverflowsHalveTheStepAndKeepABeliefThatIsNotToBlame) {
  StepControl control(2, 0.2);
  EXPECT_EQ(control.judge(both(-1, Overflow::kOfSteps)), Judgement::kAgain);
  EXPECT_EQ(control.judge(both(-1, Overflow::kOfBelief)), Judgement::kUndo);
  EXPECT_EQ(control.step(), 0.05);
  for (int i = 0; i < 2000; ++i) control.judge(both(-1, Overflow::kOfSteps));
  EXPECT_GT(control.step(), 0);
}

// An agent that comes back after five rounds finds a worse likelihood: no reason to go back.
TEST(StepControl, TheBoundGrowsWithTheTimeSinceAgentsWereSeen) {
  for (const Index agents : {2, 10}) {
    StepControl control(agents, 0.2);
    Judgement last = Judgement::kKeep;
    for (Index visit = 0; visit < 2; ++visit) {
      for (Index first = 0; first < agents; first += 2) {
        std::vector<BeliefReport> reports = both(visit == 0 ? -0.5 : -0.6);
        reports[0].agent = first;
        reports[1].agent = first + 1;
        last = control.judge(reports);
        if (visit == 1) break;
      }
    }
    EXPECT_EQ(last, agents == 2 ? Judgement::kUndo : Judgement::kKeep) << agents;
  }
}

// With a hierarchical prior the likelihood may fall while the posterior rises.
TEST(StepControl, ThePriorCounts) {
  StepControl control(2, 0.2);
  control.judge(both(-0.5));
  std::vector<BeliefReport> reports = both(-0.6);
  for (BeliefReport& report : reports) report.prior = 0.2;
  EXPECT_EQ(control.judge(reports), Judgement::kKeep);
  EXPECT_GT(control.step(), 0.2);
}

TEST(StepControl, ReportsWithoutWeightSayNothing) {
  StepControl control(2, 0.2);
  std::vector<BeliefReport> reports = both(-1);
  reports[1].weight = 0;
  control.judge(reports);
  reports[1].likelihood = -100;
  reports[0].likelihood = -0.9;
  EXPECT_EQ(control.judge(reports), Judgement::kKeep);
  EXPECT_GT(control.step(), 0.2);
}

TEST(StepControl, IsSavedAndRestoredToTheBit) {
  StepControl control(2, 0.2);
  control.grow_first_by(kFirstGrowth);
  for (int i = 0; i < 15; ++i) control.judge(both(-1 + 0.01 * i - (i % 4 == 0 ? 0.3 : 0)));
  const std::string bytes = saved(control);
  StateReader reader(bytes, "control");
  StepControl other = StepControl(2, 0.2).read(reader);
  EXPECT_NO_THROW(reader.finish());
  EXPECT_EQ(saved(other), bytes);
  for (const double value : {-0.9, -0.95, -2.0, -0.8}) {
    control.judge(both(value));
    other.judge(both(value));
  }
  EXPECT_EQ(saved(other), saved(control));
}

TEST(StepControl, StatesThatNoRoundCouldLeaveAreRefused) {
  for (const double step : {0.0, -1.0, std::nan("")}) {
    StateWriter writer("control");
    writer.number(step);
    writer.number(kFirstGrowth);
    writer.number(0);
    for (int i = 0; i < 5; ++i) writer.integer(0);
    for (int i = 0; i < 4; ++i) {
      writer.number(0);
      writer.number(0);
      writer.integer(0);
    }
    const std::string bytes = std::move(writer).finish();
    StateReader reader(bytes, "control");
    EXPECT_THROW_MESSAGE(StepControl(2, 0.2).read(reader), BadState, "no round could have left");
  }
}

}  // namespace
}  // namespace fedstein
