// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/judgement.h"

#include <map>

#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/numeric/check.h"
#include "posterior/made_posteriors.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::map<std::string, double> by_name(const Judgement& judgement) {
  return {judgement.figures.begin(), judgement.figures.end()};
}

TEST(Judgement, FiguresAreThoseOfTheMetrics) {
  const Posterior posterior = made_binary();
  const Predictor predictor(posterior);
  const Dataset rows = random_dataset(posterior, 400, 41);
  const Judgement judged = judge(predictor, rows);
  const Matrix p = predictor.predict(rows.x).probabilities;
  const std::vector<Index> labels = binary_class_indices(rows.y);
  auto figures = by_name(judged);
  EXPECT_EQ(judged.rows, 400);
  EXPECT_DOUBLE_EQ(figures.at("accuracy"), accuracy(p, labels));
  EXPECT_DOUBLE_EQ(figures.at("brier"), brier(p, labels));
  EXPECT_DOUBLE_EQ(figures.at("ece"), ReliabilityBins(p, labels).expected_error());
  EXPECT_DOUBLE_EQ(figures.at("auroc"), auroc(p.col(1).cast<double>(), labels));
  EXPECT_NEAR(figures.at("log_likelihood"), mean_log_likelihood(p, labels), 1e-5);
  ASSERT_EQ(judged.classes.size(), 2U);
  EXPECT_EQ(judged.classes[0].name, "-1");
  EXPECT_EQ(judged.classes[0].rows + judged.classes[1].rows, 400);
  EXPECT_DOUBLE_EQ(figures.at("f1"), judged.classes[1].score.f1);
  EXPECT_EQ(judged.reliability->rows(), 400);
}

// What the table promises is what somebody gets who abstains above its thresholds.
TEST(Judgement, ThresholdsKeepTheirPromise) {
  const Posterior posterior = made_classes();
  const Predictor predictor(posterior);
  const Dataset rows = random_dataset(posterior, 300, 51);
  const RowPredictions found = predictor.predict(rows.x);
  const std::vector<Index> labels = class_indices(rows.y, 3);
  const DoubleVector wrong = zero_one_loss(found.probabilities, labels);
  for (const Doubt by : {Doubt::kTotal, Doubt::kAleatoric, Doubt::kEpistemic, Doubt::kError}) {
    const Judgement judged = judge(predictor, rows, {.by = by});
    const DoubleVector doubt = doubt_of(found, by);
    EXPECT_DOUBLE_EQ(judged.answered.front().figure, by_name(judged).at("accuracy"));
    for (const AnsweredPoint& point : judged.answered) {
      double answered = 0;
      double right = 0;
      for (Index i = 0; i < doubt.size(); ++i) {
        if (doubt(i) > point.threshold) continue;
        ++answered;
        right += 1 - wrong(i);
      }
      EXPECT_NEAR(point.abstained, 1 - answered / 300, 1e-12);
      EXPECT_LE(point.abstained, point.asked + 1e-12);
      EXPECT_GT(point.abstained, point.asked - 0.01) << "300 rows without ties: a threshold for every one";
      EXPECT_NEAR(point.figure, right / answered, 1e-12);
    }
  }
}

// Intervals of the counts themselves: at least the level, for a count cannot be cut in two.
TEST(Judgement, OfCounts) {
  const Posterior posterior = made_counts();
  const Predictor predictor(posterior);
  const Dataset rows = random_dataset(posterior, 300, 61);
  const Judgement judged = judge(predictor, rows);
  EXPECT_DOUBLE_EQ(by_name(judged).at("log_likelihood"), mean_log_likelihood(predictor.log_predictive(rows.x, rows.y)));
  EXPECT_DOUBLE_EQ(by_name(judged).at("rmse"), rmse(predictor.predict(rows.x).mean.cast<Real>(), rows.y));
  EXPECT_TRUE(judged.classes.empty());
  ASSERT_EQ(judged.intervals.size(), 7U);
  const DoubleVector masses = predictor.central_mass(rows.x, rows.y);
  for (const IntervalPoint& point : judged.intervals) EXPECT_DOUBLE_EQ(point.coverage, coverage(masses, point.level));
  EXPECT_GT(judged.intervals.back().coverage, judged.intervals.front().coverage);
}

TEST(Judgement, OfARegression) {
  const Posterior posterior = made_regression();
  const Predictor predictor(posterior);
  const Dataset rows = random_dataset(posterior, 300, 61);
  const Judgement judged = judge(predictor, rows);
  const auto figures = by_name(judged);
  const Vector mean = predictor.predict(rows.x).mean.cast<Real>();
  EXPECT_DOUBLE_EQ(figures.at("rmse"), rmse(mean, rows.y));
  EXPECT_DOUBLE_EQ(figures.at("mae"), mae(mean, rows.y));
  EXPECT_NEAR(judged.answered.front().figure, figures.at("rmse"), 1e-4);
  ASSERT_EQ(judged.intervals.size(), 7U);
  for (std::size_t i = 1; i < judged.intervals.size(); ++i) {
    EXPECT_GE(judged.intervals[i].coverage, judged.intervals[i - 1].coverage);
  }
  EXPECT_FALSE(judged.reliability);
  EXPECT_THROW_MESSAGE(judge(predictor, rows, {.by = Doubt::kError}), InvalidArgument, "no probability of error");
}

TEST(Judgement, RefusesWhatCannotBeJudged) {
  const Predictor predictor(made_binary());
  EXPECT_THROW_MESSAGE(judge(predictor, {}), InvalidArgument, "there are no rows");
  const Dataset rows = random_dataset(made_binary(), 5, 1);
  EXPECT_THROW_MESSAGE(judge(predictor, rows, {.abstained = {1.0}}), InvalidArgument, "from 0 to below 1");
  EXPECT_THROW_MESSAGE(doubt_named("hope"), InvalidArgument, "there is no doubt 'hope'");
}

}  // namespace
}  // namespace fedstein
