// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/run_verdict.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

namespace fedstein {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Kind = RunVerdict::Kind;
using Records = std::vector<RoundRecord>;

// A good round each: one agent, particles apart.
Records rounds(Index count, const std::function<void(RoundRecord&, double round)>& fill) {
  Records out;
  for (Index round = 1; round <= count; ++round) {
    RoundRecord record{.round = round, .scheduled = {0}, .folded = {0}, .spread = 0.5};
    fill(record, static_cast<double>(round));
    out.push_back(record);
  }
  return out;
}

Records curve(Index count,
              const std::function<double(double round)>& value,
              const std::string& figure = "log_likelihood") {
  return rounds(count, [&](RoundRecord& record, double round) { record.figures[figure] = value(round); });
}

// Noise without a trend, the same every time.
double tremble(double round) {
  return std::sin(12.9898 * round);
}

// And then at rest.
double learned_at_once(double round) {
  return round == 2 ? -1.01 : -1;
}

TEST(RunVerdict, ConvergedStandsStill) {
  const RunVerdict verdict = judge_run(curve(100, [](double round) { return -0.3 - std::exp(-round / 5); }));
  EXPECT_EQ(verdict.kind, Kind::kConverged);
  EXPECT_EQ(verdict.figure, "log_likelihood");
  EXPECT_EQ(verdict.sentence,
            "converged: the log-likelihood on test rows moved by no more than 0.002 over the last 20 rounds");
}

TEST(RunVerdict, WorseThanAnyGuessIsADivergence) {
  Records records = curve(100, [](double round) { return -70 - 0.001 * tremble(round); });
  for (RoundRecord& record : records) record.figures["accuracy"] = 0.5;
  EXPECT_EQ(judge_run(records).kind, Kind::kDiverging);
}

// As with a step too small to move anything.
TEST(RunVerdict, WhatNeverMovedIsNotConverged) {
  EXPECT_EQ(
      judge_run(curve(100, [](double) { return -0.6953; })).sentence,
      "not judged: the log-likelihood on test rows is the same in all rounds to the last digit: nothing was learned");
}

TEST(RunVerdict, NoiseIsNoTrend) {
  const RunVerdict verdict = judge_run(curve(100, [](double round) { return -0.3 + 0.01 * tremble(round); }));
  EXPECT_EQ(verdict.kind, Kind::kConverged) << verdict.sentence;
}

TEST(RunVerdict, StillImprovingSaysByHowMuch) {
  const RunVerdict verdict = judge_run(curve(50, [](double round) { return -2 + 0.01 * round; }));
  EXPECT_EQ(verdict.kind, Kind::kImproving);
  EXPECT_NEAR(verdict.per_round, 0.01, 1e-9);
  EXPECT_THAT(verdict.sentence, HasSubstr("rises by 0.01 a round over the last 10 rounds"));
}

TEST(RunVerdict, KeptBackRowsCountBeforeTestRows) {
  Records records = curve(50, [](double) { return -0.3; });
  for (RoundRecord& record : records)
    record.figures["validation_log_likelihood"] = 0.01 * static_cast<double>(record.round);
  const RunVerdict verdict = judge_run(records);
  EXPECT_EQ(verdict.kind, Kind::kImproving);
  EXPECT_EQ(verdict.figure, "validation_log_likelihood");
  EXPECT_THAT(verdict.sentence, HasSubstr("on kept-back rows"));
}

TEST(RunVerdict, OfAToyTheDivergenceFalls) {
  const RunVerdict falls = judge_run(curve(
      20, [](double round) { return 1 - 0.02 * round; }, "kl"));
  EXPECT_EQ(falls.kind, Kind::kImproving);
  EXPECT_THAT(falls.sentence, HasSubstr("the KL divergence from the posterior falls by 0.02 a round"));
  const RunVerdict rises = judge_run(curve(
      20, [](double round) { return 0.02 * round; }, "kl"));
  EXPECT_EQ(rises.kind, Kind::kDiverging);
  EXPECT_THAT(rises.sentence, HasSubstr("rose from 0.05"));
}

TEST(RunVerdict, AFallIsADivergenceAndSaysWhatToChange) {
  Records records = curve(30, [](double round) { return round < 10 ? -0.3 : -3.0; });
  for (RoundRecord& record : records) record.figures["accuracy"] = record.round < 10 ? 0.9 : 0.5;
  const RunVerdict verdict = judge_run(records);
  EXPECT_EQ(verdict.kind, Kind::kDiverging);
  EXPECT_THAT(verdict.sentence, HasSubstr("fell from -0.3 (around round 4) to -3; try a smaller learning_rate"));
}

TEST(RunVerdict, ALittleWorseIsNoDivergence) {
  const RunVerdict verdict = judge_run(curve(30, [](double round) { return round < 10 ? -0.3 : -0.37; }));
  EXPECT_EQ(verdict.kind, Kind::kConverged) << verdict.sentence;
}

TEST(RunVerdict, AFallFromWhichARunRecoversIsNone) {
  const RunVerdict verdict = judge_run(curve(30, [](double round) { return round < 5 ? -0.3 : -3 + 0.05 * round; }));
  EXPECT_EQ(verdict.kind, Kind::kImproving) << verdict.sentence;
}

TEST(RunVerdict, AFallWhileTheErrorShrinksIsOverconfidence) {
  Records records = curve(60, [](double round) { return round < 10 ? -3.4 : -3.4 - 0.022 * (round - 10); });
  for (RoundRecord& record : records) record.figures["rmse"] = 5 - 0.02 * static_cast<double>(record.round);
  const RunVerdict verdict = judge_run(records);
  EXPECT_EQ(verdict.kind, Kind::kOverconfident);
  EXPECT_THAT(verdict.sentence, HasSubstr("while its RMSE held or got better"));
  EXPECT_LT(verdict.per_round, 0);
}

TEST(RunVerdict, AFallOfModestPredictionsIsADivergence) {
  Records records = curve(60, [](double round) { return round < 10 ? -11 : -14; });
  for (RoundRecord& record : records) record.figures["rmse"] = 1.5;
  EXPECT_EQ(judge_run(records).kind, Kind::kOverconfident);
  records.back().figures["coverage"] = 1;
  EXPECT_EQ(judge_run(records).kind, Kind::kDiverging);
}

// What twenty rows say by chance is not held against a run.
TEST(RunVerdict, FewRowsAskForMore) {
  Records records = curve(20, [](double round) { return round < 8 ? -0.25 : -0.36; });
  EXPECT_EQ(judge_run(records).kind, Kind::kDiverging);
  for (RoundRecord& record : records) record.figures["rows"] = 20;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
  records.back().figures["accuracy"] = 0.8;
  records.back().figures["confidence"] = 0.95;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
  records.back().figures["coverage"] = 0.85;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
  for (RoundRecord& record : records) record.figures["rows"] = 2000;
  EXPECT_EQ(judge_run(records).kind, Kind::kDiverging);
}

TEST(RunVerdict, IntervalsThatCoverTooLittleAreOverconfident) {
  Records records = curve(20, learned_at_once);
  records.back().figures["coverage"] = 0.84;
  EXPECT_THAT(judge_run(records).sentence,
              StartsWith("overconfident: 95 % intervals cover 84 % of the targets of test"));
  for (RoundRecord& record : records) {
    record.figures["validation_log_likelihood"] = learned_at_once(static_cast<double>(record.round));
  }
  records.back().figures["validation_coverage"] = 0.95;
  EXPECT_EQ(judge_run(records).kind, Kind::kOverconfident) << "test rows count as well";
  records.back().figures["coverage"] = 0.93;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
}

TEST(RunVerdict, ConfidenceAboveAccuracyIsOverconfident) {
  Records records = curve(20, learned_at_once, "validation_log_likelihood");
  records.back().figures["validation_accuracy"] = 0.7;
  records.back().figures["validation_confidence"] = 0.95;
  EXPECT_THAT(judge_run(records).sentence,
              HasSubstr("on kept-back rows the predicted class has probability 0.95 in the mean and is right in 70 %"));
  records.back().figures["validation_confidence"] = 0.65;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
}

TEST(RunVerdict, ConfidenceBelowAccuracyIsUnderconfident) {
  Records records = curve(20, learned_at_once);
  for (RoundRecord& record : records) record.figures["rows"] = 500;
  records.back().figures["accuracy"] = 0.9;
  records.back().figures["confidence"] = 0.6;
  EXPECT_EQ(
      judge_run(records).sentence,
      "underconfident: on test rows the predicted class has probability 0.6 in the mean and is right in 90 %; try "
      "`fedstein calibrate` on rows held out, or a prior that pulls less");
  records.back().figures["confidence"] = 0.83;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
  // Twenty rows may be right more often by chance.
  for (RoundRecord& record : records) record.figures["rows"] = 20;
  records.back().figures["confidence"] = 0.75;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
}

TEST(RunVerdict, IntervalsThatCoverTooMuchAreUnderconfident) {
  Records records = curve(20, learned_at_once);
  records.back().figures["coverage"] = 0.998;
  EXPECT_THAT(judge_run(records).sentence,
              StartsWith("underconfident: 95 % intervals cover 99.8 % of the targets of test"));
  records.back().figures["coverage"] = 0.985;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
}

// As with labels that the features say nothing about, or steps too small.
TEST(RunVerdict, WhatAGuessKnowsIsNotLearned) {
  Records records = curve(20, [](double round) { return round == 2 ? -0.7 : -0.693; });
  for (RoundRecord& record : records) record.figures.insert({{"rows", 200}, {"baseline", -0.69}, {"accuracy", 0.5}});
  EXPECT_EQ(
      judge_run(records, {.step = "step"}).sentence,
      "no better than guessing: the log-likelihood on test rows is -0.693, and that of knowing only how frequent each "
      "class is -0.69; try a larger step, more rounds, or columns that say more about the label");
  EXPECT_THAT(judge_run(records, {.step = ""}).sentence, HasSubstr("; try more rounds"));
  for (RoundRecord& record : records) record.figures.erase("accuracy");
  EXPECT_THAT(judge_run(records).sentence, HasSubstr("knowing only the targets' mean and variance"));
  for (RoundRecord& record : records) record.figures["baseline"] = -0.71;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
  for (RoundRecord& record : records) record.figures["baseline"] = -0.69;
  for (RoundRecord& record : records) record.figures["rows"] = 10;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged) << "ten rows know no guess";
}

// Advice names what the method has, and nothing that is done already.
TEST(RunVerdict, AdviceNamesTheMethodsOwnSetting) {
  const Records records = curve(30, [](double round) { return round < 10 ? -0.3 : -3.0; });
  EXPECT_THAT(judge_run(records, {.step = "a0", .is_standardised = true}).sentence,
              EndsWith("; try a smaller a0, or another method"));
  EXPECT_THAT(judge_run(records, {.step = "step"}).sentence,
              EndsWith("; try a smaller step, scaling = \"standardise\", or another method"));
  EXPECT_THAT(judge_run(records, {.step = "", .is_standardised = true}).sentence, EndsWith("; try another method"));
}

TEST(RunVerdict, ParticlesOnOnePlaceAreCollapsed) {
  Records records = curve(20, learned_at_once);
  records.back().spread = 1e-4;
  EXPECT_EQ(judge_run(records).kind, Kind::kCollapsed);
  for (RoundRecord& record : records) record.spread = 0;
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged) << "one particle has no spread";
  EXPECT_EQ(judge_run(records, {.particles = 8}).kind, Kind::kCollapsed);
  records = curve(20, learned_at_once);
  records.back().figures["collapsed"] = 1;
  EXPECT_THAT(judge_run(records).sentence, HasSubstr("less than a third as far as the posterior asks"));
}

TEST(RunVerdict, WhatIsNotFiniteDiverged) {
  Records records = curve(20, learned_at_once);
  records.back().figures["log_likelihood"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(judge_run(records).sentence, HasSubstr("diverging: the log-likelihood on test rows is not finite"));
  // A first round of that kind is forgiven.
  records = curve(20, learned_at_once);
  records.front().figures["log_likelihood"] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(judge_run(records).kind, Kind::kConverged);
}

TEST(RunVerdict, LostRoundsAreNotRest) {
  const auto lost = [](Failure::Kind kind) {
    return rounds(20, [&](RoundRecord& record, double round) {
      record.figures["log_likelihood"] = -1;
      if (round <= 15) return;
      record.folded.clear();
      record.failures.push_back({record.round, 0, kind, "the reason"});
    });
  };
  const RunVerdict diverged = judge_run(lost(Failure::Kind::kDiverged));
  EXPECT_EQ(diverged.kind, Kind::kDiverging);
  EXPECT_THAT(diverged.sentence, HasSubstr("4 of the last 4 rounds took nobody's update in (the reason); try"));
  EXPECT_EQ(judge_run(lost(Failure::Kind::kTimedOut)).kind, Kind::kNotJudged);
}

TEST(RunVerdict, FewRoundsAreNotJudged) {
  EXPECT_EQ(judge_run({}).sentence, "not judged: no round was done");
  EXPECT_EQ(judge_run(rounds(9, [](RoundRecord&, double) {})).sentence, "not judged: no round was evaluated");
  const RunVerdict few = judge_run(curve(4, [](double) { return -1; }));
  EXPECT_EQ(few.sentence, "not judged: at least 5 evaluated rounds are needed, and there are 4");
}

TEST(RunVerdict, SaysWhatTheStepControlDidAndWhereARunEnded) {
  Records records = curve(30, [](double) { return -1; });
  for (RoundRecord& record : records) record.figures["undone"] = record.round % 3 == 0 ? 1 : 0;
  EXPECT_THAT(judge_run(records).sentence, Not(HasSubstr("step control")));
  records.front().figures["undone"] = 1;
  EXPECT_THAT(judge_run(records).sentence, HasSubstr("its step control took back 11 of 30 rounds"));
  EXPECT_THAT(judge_run(records, {.rounds = 90}).sentence, HasSubstr("; 30 of 90 rounds were done"));
}

TEST(RunVerdict, EveryKindHasAName) {
  EXPECT_STREQ(name_of(Kind::kConverged), "converged");
  EXPECT_STREQ(name_of(Kind::kNotJudged), "not judged");
  EXPECT_STREQ(name_of(Kind::kImproving), "still improving");
  EXPECT_STREQ(name_of(Kind::kUnderconfident), "underconfident");
  EXPECT_STREQ(name_of(Kind::kGuessing), "no better than guessing");
  EXPECT_STREQ(name_of(Kind::kOverconfident), "overconfident");
  EXPECT_STREQ(name_of(Kind::kCollapsed), "collapsed");
  EXPECT_STREQ(name_of(Kind::kDiverging), "diverging");
}

}  // namespace
}  // namespace fedstein
