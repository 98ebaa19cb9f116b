// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/classification.h"

#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Labels = std::vector<Index>;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// Powers of two, so that every figure below is exact in either precision.
const Matrix kTable{{0.5, 0.25, 0.25}, {0.25, 0.25, 0.5}, {0.125, 0.75, 0.125}, {0.375, 0.375, 0.25}};

TEST(Classification, ByHand) {
  const Labels labels{0, 1, 1, 2};  // right, wrong, right, wrong
  EXPECT_EQ(accuracy(kTable, labels), 0.5);
  EXPECT_EQ(zero_one_loss(kTable, labels), DoubleVector({{0, 1, 0, 1}}));
  EXPECT_EQ(confidence(kTable), DoubleVector({{0.5, 0.5, 0.75, 0.375}}));
  const double logs = std::log(0.5) + std::log(0.25) + std::log(0.75) + std::log(0.25);
  EXPECT_TRUE(close(mean_log_likelihood(kTable, labels), logs / 4, 1e-14));
  const double squares = (0.25 + 0.0625 + 0.0625) + (0.0625 + 0.5625 + 0.25) + (0.015625 + 0.0625 + 0.015625) +
                         (0.140625 + 0.140625 + 0.5625);
  EXPECT_TRUE(close(brier(kTable, labels), squares / 4, 1e-14));
}

TEST(Classification, TiesGoToTheLowestClass) {
  EXPECT_EQ(most_probable(kTable), (Labels{0, 2, 1, 0}));
  const Matrix even = Matrix::Constant(2, 4, Real{0.25});
  EXPECT_EQ(accuracy(even, Labels{0, 0}), 1);
  EXPECT_EQ(accuracy(even, Labels{3, 3}), 0);
}

TEST(Classification, OneRowAndOneClass) {
  EXPECT_EQ(accuracy(kTable.topRows(1), Labels{0}), 1);
  const Matrix certain = Matrix::Ones(3, 1);
  const Labels only{0, 0, 0};
  EXPECT_EQ(accuracy(certain, only), 1);
  EXPECT_EQ(mean_log_likelihood(certain, only), 0);
  EXPECT_EQ(brier(certain, only), 0);
  EXPECT_EQ(brier(Matrix{{1, 0}}, Labels{1}), 2);  // the worst there is
}

TEST(Classification, ImpossibleLabelIsMinusInfinityUnlessFloored) {
  const Matrix sure{{1, 0}, {0.5, 0.5}};
  const Labels labels{1, 0};
  EXPECT_EQ(mean_log_likelihood(sure, labels), -INFINITY);
  EXPECT_TRUE(close(
      mean_log_likelihood(sure, labels, {.probability_floor = 1e-6}), (std::log(1e-6) + std::log(0.5)) / 2, 1e-14));
  EXPECT_THAT(describe(LogLikelihoodOptions{}), testing::HasSubstr("no floor"));
  EXPECT_THAT(describe(LogLikelihoodOptions{1e-6}), testing::HasSubstr("below 1e-06 counted as that"));
  EXPECT_THROW_MESSAGE(
      mean_log_likelihood(sure, labels, {.probability_floor = NAN}), InvalidArgument, "probability_floor is nan");
}

TEST(Classification, RefusesWhatIsNoProbability) {
  const Labels two{0, 0};
  EXPECT_THROW_MESSAGE(accuracy(Matrix{{0.5, 0.5}, {kNan, 0.5}}, two),
                       InvalidArgument,
                       "accuracy: probabilities holds nan in row 1, column 0");
  EXPECT_THROW_MESSAGE(brier(Matrix{{0.5, 0.5}, {1.5, -0.5}}, two),
                       InvalidArgument,
                       "brier: probabilities holds 1.5 in row 1, column 0; a probability lies between 0 and 1");
  EXPECT_THROW_MESSAGE(confidence(Matrix{{0.5, 0.25}}), InvalidArgument, "row 0 of probabilities sums to 0.75");
  EXPECT_THROW_MESSAGE(accuracy(Matrix(0, 2), Labels{}), InvalidArgument, "probabilities is 0 x 2");
  EXPECT_NO_THROW(confidence(Matrix{{Real(1) + Real(1e-6), 0}}));  // what rounding leaves is no reason to stop
}

TEST(Classification, RefusesLabelsOutOfRangeNamingRowAndValue) {
  EXPECT_THROW_MESSAGE(accuracy(kTable, Labels{0, 1, 3, 0}),
                       InvalidArgument,
                       "accuracy: labels holds 3 in row 2; it must be a class index from 0 to 2");
  EXPECT_THROW_MESSAGE(brier(kTable, Labels{0, -1, 2, 0}), InvalidArgument, "labels holds -1 in row 1");
  EXPECT_THROW_MESSAGE(accuracy(kTable, Labels{0, 1}), InvalidArgument, "labels has 2 rows; it must have 4");
}

TEST(Classification, LabelsOfADatasetBecomeIndices) {
  EXPECT_EQ(binary_class_indices(Vector{{-1, 1, 1}}), (Labels{0, 1, 1}));
  EXPECT_THROW_MESSAGE(
      binary_class_indices(Vector{{-1, 0}}), InvalidArgument, "y holds 0 in row 1; it must be -1 or 1");
  EXPECT_THROW_MESSAGE(binary_class_indices(Vector{{kNan}}), InvalidArgument, "y holds nan in row 0");
  EXPECT_EQ(class_indices(Vector{{2, 0, 1}}, 3), (Labels{2, 0, 1}));
  EXPECT_THROW_MESSAGE(class_indices(Vector{{0, 3}}, 3), InvalidArgument, "y holds 3 in row 1; it must be a whole");
  EXPECT_THROW_MESSAGE(class_indices(Vector{{0.5}}, 3), InvalidArgument, "y holds 0.5 in row 0");
  EXPECT_THROW_MESSAGE(class_indices(Vector{{kNan}}, 3), InvalidArgument, "y holds nan in row 0");
}

TEST(Confusion, CountsAndScoresByHand) {
  ConfusionMatrix counts(3);
  counts.add(kTable, Labels{0, 1, 1, 2});  // predicted 0, 2, 1, 0
  EXPECT_EQ(counts.count(0, 0), 1);
  EXPECT_EQ(counts.count(1, 2), 1);
  EXPECT_EQ(counts.count(1, 1), 1);
  EXPECT_EQ(counts.count(2, 0), 1);
  EXPECT_EQ(counts.count(2, 2), 0);
  const ClassScore zero = counts.score(0);
  EXPECT_EQ(zero.precision, 0.5);
  EXPECT_EQ(zero.recall, 1);
  EXPECT_TRUE(close(zero.f1, 2.0 / 3, 1e-14));
  const ClassScore two = counts.score(2);
  EXPECT_EQ(two.precision, 0);
  EXPECT_EQ(two.recall, 0);
  EXPECT_EQ(two.f1, 0);
}

TEST(Confusion, UndefinedScoresAreNan) {
  ConfusionMatrix counts(3);
  counts.add(0, 1);
  EXPECT_TRUE(std::isnan(counts.score(0).precision));  // never predicted
  EXPECT_EQ(counts.score(0).recall, 0);
  EXPECT_TRUE(std::isnan(counts.score(1).recall));  // never present
  EXPECT_TRUE(std::isnan(counts.score(2).f1));      // neither
}

TEST(Confusion, AddsUpAndRefusesOtherShapes) {
  const Sample sample = smooth_sample(40, 3, 1);
  ConfusionMatrix all(3);
  all.add(sample.probabilities, sample.labels);
  ConfusionMatrix left(3);
  ConfusionMatrix right(3);
  const std::span<const Index> labels(sample.labels);
  left.add(sample.probabilities.topRows(15), labels.first(15));
  right.add(sample.probabilities.bottomRows(25), labels.last(25));
  left += right;
  for (Index label = 0; label < 3; ++label) {
    for (Index predicted = 0; predicted < 3; ++predicted) {
      EXPECT_EQ(left.count(label, predicted), all.count(label, predicted));
    }
  }
  EXPECT_THROW_MESSAGE(left += ConfusionMatrix(2), InvalidArgument, "has 2 classes; it must have 3");
  EXPECT_THROW_MESSAGE(left.add(0, 3), InvalidArgument, "predicted is 3; it must be a class index from 0 to 2");
  EXPECT_THROW_MESSAGE(left.score(-1), InvalidArgument, "positive is -1");
  EXPECT_THROW_MESSAGE(ConfusionMatrix(0), InvalidArgument, "classes is 0");
}

}  // namespace
}  // namespace fedstein
