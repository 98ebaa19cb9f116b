// SPDX-License-Identifier: Apache-2.0
// One pass gives what the functions for each figure give.
#include "fedstein/metrics/classification_tally.h"

#include <gtest/gtest.h>

#include <limits>

#include "fedstein/metrics/classification.h"
#include "fedstein/numeric/check.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

DoubleVector log_of_labels(const Sample& sample) {
  DoubleVector out(sample.probabilities.rows());
  for (Index i = 0; i < out.size(); ++i) {
    out(i) = std::log(static_cast<double>(sample.probabilities(i, sample.labels[static_cast<std::size_t>(i)])));
  }
  return out;
}

void expect_same_figures(const Sample& sample, Index bin_count) {
  const ReliabilityBins bins(sample.probabilities, sample.labels, bin_count);
  ClassificationTally tally(bin_count);
  tally.add(sample.probabilities, sample.labels, log_of_labels(sample));
  EXPECT_EQ(tally.rows(), sample.probabilities.rows());
  EXPECT_EQ(tally.accuracy(), accuracy(sample.probabilities, sample.labels));
  EXPECT_TRUE(close(tally.brier(), brier(sample.probabilities, sample.labels), 1e-12));
  EXPECT_TRUE(close(tally.log_likelihood(), mean_log_likelihood(sample.probabilities, sample.labels), 1e-12));
  EXPECT_EQ(tally.bins().expected_error(), bins.expected_error());
  EXPECT_EQ(tally.bins().maximum_error(), bins.maximum_error());
}

TEST(ClassificationTally, EqualsTheFunctionsOfEachFigure) {
  for (const Index classes : {2, 3, 10}) {
    for (const Index bins : {1, 10, 1000}) {
      expect_same_figures(smooth_sample(500, classes, 1), bins);
      expect_same_figures(coarse_sample(500, classes, 2), bins);
    }
  }
}

TEST(ClassificationTally, BlocksAddUp) {
  const Sample sample = smooth_sample(500, 3, 3);
  const DoubleVector logs = log_of_labels(sample);
  ClassificationTally whole;
  whole.add(sample.probabilities, sample.labels, logs);
  ClassificationTally sum;
  for (const auto& [begin, count] : {std::pair<Index, Index>{0, 1}, {1, 399}, {400, 100}}) {
    ClassificationTally part;
    const auto labels =
        std::span(sample.labels).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    part.add(sample.probabilities.middleRows(begin, count), labels, logs.segment(begin, count));
    sum += part;
  }
  EXPECT_EQ(sum.rows(), 500);
  EXPECT_EQ(sum.accuracy(), whole.accuracy());
  EXPECT_TRUE(close(sum.brier(), whole.brier(), 1e-12));
  EXPECT_TRUE(close(sum.log_likelihood(), whole.log_likelihood(), 1e-12));
  EXPECT_TRUE(close(sum.bins().expected_error(), whole.bins().expected_error(), 1e-12));
}

TEST(ClassificationTally, AnImpossibleLabelMakesTheMeanInfinite) {
  ClassificationTally tally;
  tally.add(
      Matrix{{0, 1}, {1, 0}}, std::vector<Index>{0, 0}, DoubleVector{{-std::numeric_limits<double>::infinity(), 0}});
  EXPECT_EQ(tally.log_likelihood(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(tally.accuracy(), 0.5);
}

TEST(ClassificationTally, BadRowsAreRefused) {
  const Matrix good{{0.5, 0.5}, {0.25, 0.75}};
  const std::vector<Index> labels{0, 1};
  const DoubleVector logs{{-1, -1}};
  const auto tallied = [](const Matrix& p, const std::vector<Index>& y, const DoubleVector& log_densities) {
    ClassificationTally tally;
    tally.add(p, y, log_densities);
  };
  tallied(good, labels, logs);
  Matrix bad = good;
  bad(1, 0) = 0.5_r;
  EXPECT_THROW_MESSAGE(tallied(bad, labels, logs), InvalidArgument, "row 1 of probabilities sums to 1.25");
  bad(1, 0) = -0.25_r;
  EXPECT_THROW_MESSAGE(tallied(bad, labels, logs), InvalidArgument, "a probability lies between 0 and 1");
  bad(1, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW(tallied(bad, labels, logs), InvalidArgument);
  EXPECT_THROW_MESSAGE(tallied(good, {0, 2}, logs), InvalidArgument, "labels holds 2 in row 1");
  EXPECT_THROW_MESSAGE(tallied(good, {0}, logs), InvalidArgument, "labels has 1 row; it must have 2");
  EXPECT_THROW_MESSAGE(tallied(good, labels, DoubleVector{{-1}}), InvalidArgument, "log_densities has 1 row");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW_MESSAGE(tallied(good, labels, DoubleVector{{-1, nan}}), InvalidArgument, "log_densities holds nan");
  EXPECT_THROW_MESSAGE(ClassificationTally().accuracy(), InvalidArgument, "it holds 0 rows");
}

}  // namespace
}  // namespace fedstein
