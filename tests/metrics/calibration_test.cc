// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/calibration.h"

#include <cmath>
#include <limits>

#include "fedstein/metrics/arguments.h"
#include "fedstein/metrics/classification.h"
#include "metrics/golden_calibration.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Labels = std::vector<Index>;

TEST(Calibration, ByHand) {
  // Bins of width 1/4: two rows in [0.5, 0.75), one right; one row in [0.75, 1], wrong.
  const Matrix probabilities{{0.625, 0.375}, {0.5, 0.5}, {0.875, 0.125}};
  const ReliabilityBins bins(probabilities, Labels{0, 1, 1}, 4);
  EXPECT_EQ(bins.bins()[2].count, 2);
  EXPECT_EQ(bins.bins()[2].correct, 1);
  EXPECT_EQ(bins.bins()[2].confidence_sum, 1.125);
  EXPECT_EQ(bins.bins()[3].count, 1);
  EXPECT_EQ(bins.rows(), 3);
  EXPECT_TRUE(close(bins.expected_error(), (0.125 + 0.875) / 3, 1e-14));
  EXPECT_EQ(bins.maximum_error(), 0.875);
  EXPECT_THAT(bins.describe(), testing::HasSubstr("B = 4 equal-width bins [(j-1)/B, j/B), the last with 1"));
}

// One by one is the plain version. Single precision's confidences add up exactly in double, in any order.
TEST(Calibration, ManyRowsAtOnceGoWhereTheyWouldOneByOne) {
  for (const Index count : {1, 10, 64, 65, 1000}) {
    for (const Index classes : {2, 5}) {
      for (const Sample& sample : {smooth_sample(1000, classes, 5), coarse_sample(1003, classes, 6)}) {
        const DoubleVector confidences = confidence(sample.probabilities);
        std::vector<std::int64_t> right;
        ReliabilityBins plain(count);
        for (const Index label : sample.labels) {
          right.push_back(label == 0 ? 1 : 0);
          plain.add(confidences(static_cast<Index>(right.size()) - 1), right.back() != 0);
        }
        ReliabilityBins many(count);
        many.add(std::span(confidences.data(), right.size()), right);
        for (std::size_t j = 0; j < plain.bins().size(); ++j) {
          const ReliabilityBin& expected = plain.bins()[j];
          EXPECT_EQ(many.bins()[j].count, expected.count);
          EXPECT_EQ(many.bins()[j].correct, expected.correct);
          EXPECT_TRUE(close(many.bins()[j].confidence_sum, expected.confidence_sum, sizeof(Real) == 8 ? 1e-13 : 0));
        }
      }
    }
  }
}

TEST(Calibration, ManyRowsAreCheckedAsOneIs) {
  std::vector<double> confidences(20, 0.7);
  std::vector<std::int64_t> right(20, 1);
  ReliabilityBins bins;
  bins.add(confidences, right);
  EXPECT_EQ(bins.rows(), 20);
  for (const double bad : {0.0, -0.5, 1.5, 1.55, 1.05, std::numeric_limits<double>::quiet_NaN()}) {
    for (const std::size_t row : {std::size_t{3}, std::size_t{19}}) {
      confidences[row] = bad;
      EXPECT_THROW_MESSAGE(bins.add(confidences, right), InvalidArgument, "it must be above 0 and at most 1");
      confidences[row] = 0.7;
    }
  }
  right.pop_back();
  EXPECT_THROW_MESSAGE(bins.add(confidences, right), InvalidArgument, "right has 19 rows; it must have 20");
}

// An edge belongs to the bin that starts there, also where the decimal fraction is not a binary one; 1 has no bin of
// its own. One by one and many at once.
TEST(Calibration, ConfidencesOnTheEdgesBelongToTheBinThatStartsThere) {
  for (const Index count : {1, 2, 3, 7, 10, 15, 20, 64, 100, 1000}) {
    ReliabilityBins bins(count);
    std::vector<double> edges;
    for (Index j = 1; j <= count; ++j) {
      edges.push_back(static_cast<double>(static_cast<Real>(static_cast<double>(j) / static_cast<double>(count))));
      bins.add(edges.back(), true);
    }
    ReliabilityBins together(count);
    together.add(edges, std::vector<std::int64_t>(edges.size(), 1));
    for (Index j = 0; j < count; ++j) {
      const std::int64_t expected = (j > 0 ? 1 : 0) + (j + 1 == count ? 1 : 0);
      EXPECT_EQ(bins.bins()[static_cast<std::size_t>(j)].count, expected) << count << " " << j;
      EXPECT_EQ(together.bins()[static_cast<std::size_t>(j)].count, expected) << count << " " << j;
    }
  }
}

// Whoever cannot decide between two classes says 0.5, as many rows of an untrained model do: they are no rows of
// confidence 0.4 to 0.5, of which two classes have none.
TEST(Calibration, RowsOfConfidenceOneHalf) {
  const Matrix table = Matrix::Constant(20, 2, Real{0.5});
  const ReliabilityBins bins(table, Labels(20, 0));
  EXPECT_EQ(bins.bins()[4].count, 0);
  EXPECT_EQ(bins.bins()[5].count, 20);
}

TEST(Calibration, WrittenEdgesAndTheirNeighbours) {
  ReliabilityBins bins;
  bins.add(0.05, true);
  EXPECT_EQ(bins.bins()[0].count, 1);
  bins.add(static_cast<double>(std::nextafter(Real(0.3), Real(1))), true);
  EXPECT_EQ(bins.bins()[3].count, 1);
  bins.add(static_cast<double>(Real(0.3)), true);
  EXPECT_EQ(bins.bins()[3].count, 2);
  bins.add(static_cast<double>(std::nextafter(Real(0.3), Real(0))), true);
  EXPECT_EQ(bins.bins()[2].count, 1);
  bins.add(1, true);
  bins.add(1.00001, true);  // a probability that rounding put above 1
  EXPECT_EQ(bins.bins()[9].count, 2);
  bins.add(std::numeric_limits<double>::min(), true);
  EXPECT_EQ(bins.bins()[0].count, 2);

  const Matrix table{{Real(0.4), Real(0.3), Real(0.3)}, {Real(0.1), Real(0.2), Real(0.7)}, {1, 0, 0}};
  const ReliabilityBins of_table(table, Labels{0, 2, 0});
  EXPECT_EQ(of_table.bins()[4].count, 1);
  EXPECT_EQ(of_table.bins()[7].count, 1);
  EXPECT_EQ(of_table.bins()[9].count, 1);
}

TEST(Calibration, OneRowOneClass) {
  const ReliabilityBins bins(Matrix::Ones(1, 1), Labels{0});
  EXPECT_EQ(bins.expected_error(), 0);
  EXPECT_EQ(bins.maximum_error(), 0);
  EXPECT_EQ(adaptive_calibration_error(Matrix::Ones(1, 1), Labels{0}), 0);
}

TEST(Calibration, EqualsThePlainLoop) {
  const Sample sample = smooth_sample(300, 4, 7);
  double ece = 0;
  double mce = 0;
  for (int j = 0; j < 15; ++j) {
    double count = 0;
    double right = 0;
    double confidences = 0;
    for (Index row = 0; row < 300; ++row) {
      Index best = 0;
      const auto top = static_cast<double>(sample.probabilities.row(row).maxCoeff(&best));
      if (top < j / 15.0 || (top >= (j + 1) / 15.0 && j < 14)) continue;
      ++count;
      right += best == sample.labels[static_cast<std::size_t>(row)] ? 1 : 0;
      confidences += top;
    }
    if (count == 0) continue;
    ece += count / 300 * std::abs(right / count - confidences / count);
    mce = std::max(mce, std::abs(right / count - confidences / count));
  }
  const ReliabilityBins bins(sample.probabilities, sample.labels, 15);
  EXPECT_TRUE(close(bins.expected_error(), ece, 1e-12));
  EXPECT_TRUE(close(bins.maximum_error(), mce, 1e-12));
}

TEST(Calibration, Refuses) {
  ReliabilityBins bins;
  EXPECT_THROW_MESSAGE(bins.expected_error(), InvalidArgument, "the diagram holds 0 rows");
  EXPECT_THROW_MESSAGE(bins.maximum_error(), InvalidArgument, "the diagram holds 0 rows");
  EXPECT_THROW_MESSAGE(bins.add(0, true), InvalidArgument, "confidence is 0; it must be above 0 and at most 1");
  EXPECT_THROW_MESSAGE(bins.add(NAN, true), InvalidArgument, "confidence is nan");
  EXPECT_THROW_MESSAGE(bins.add(1.5, true), InvalidArgument, "confidence is 1.5");
  EXPECT_THROW_MESSAGE(bins += ReliabilityBins(5), InvalidArgument, "has 5 bins; it must have 10");
  EXPECT_THROW_MESSAGE(ReliabilityBins(0), InvalidArgument, "bins is 0; it must be from 1 to");
  EXPECT_THROW_MESSAGE(ReliabilityBins(kMostBins + 1), InvalidArgument, "bins is 100001");
  EXPECT_THROW_MESSAGE(bins.add(Matrix{{0.5, 0.5}}, Labels{2}), InvalidArgument, "labels holds 2 in row 0");
  EXPECT_EQ(bins.rows(), 0);
}

TEST(Calibration, BinsFromElsewhereMustAgreeWithThemselves) {
  const Sample sample = smooth_sample(50, 3, 2);
  const ReliabilityBins sent(sample.probabilities, sample.labels, 6);
  EXPECT_EQ(ReliabilityBins::from_bins(sent.bins()).expected_error(), sent.expected_error());

  const auto one = [](ReliabilityBin bin) { return ReliabilityBins::from_bins({ReliabilityBin{}, bin}); };
  EXPECT_NO_THROW(one({4, 1, 3.0}));
  EXPECT_THROW_MESSAGE(one({-1, 0, 0}), InvalidArgument, "bin 1 has count -1; it must be at least 0");
  EXPECT_THROW_MESSAGE(one({4, 5, 3.0}), InvalidArgument, "bin 1 has correct 5; it must be from 0 to its count 4");
  EXPECT_THROW_MESSAGE(one({4, 1, 1.0}), InvalidArgument, "bin 1 has confidence sum 1; with its count and edges");
  EXPECT_THROW_MESSAGE(one({4, 1, NAN}), InvalidArgument, "confidence sum nan");
  EXPECT_THROW_MESSAGE(ReliabilityBins::from_bins({}), InvalidArgument, "bins is 0");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const ReliabilityBin half{kMost / 2 + 1, 0, static_cast<double>(kMost / 2)};
  EXPECT_THROW_MESSAGE(ReliabilityBins::from_bins({{half.count, 0, half.confidence_sum / 4}, half}),
                       InvalidArgument,
                       "all counts must fit 64 bits together");
  ReliabilityBins full = one({half.count, 0, half.confidence_sum});
  EXPECT_THROW_MESSAGE(full += full, InvalidArgument, "exceed 64 bits together");
}

TEST(Calibration, AdaptiveByHand) {
  // Class 1 sorted: 0.125 (label 0), 0.25 (1) | 0.5 (1), 0.75 (1); gaps |1 - 0.375|/2 and |2 - 1.25|/2. Class 0
  // mirrors.
  const Matrix probabilities{{0.5, 0.5}, {0.875, 0.125}, {0.25, 0.75}, {0.75, 0.25}};
  const Labels labels{1, 0, 1, 1};
  EXPECT_TRUE(close(adaptive_calibration_error(probabilities, labels, 2), (0.3125 + 0.375) / 2, 1e-14));
  // More bins than rows: one row per range, the empty ranges left out.
  EXPECT_TRUE(close(adaptive_calibration_error(probabilities, labels, 50), (0.5 + 0.125 + 0.25 + 0.75) / 4, 1e-14));
  // Three equal rows, two bins: the cut goes through the tie, whose hits are shared.
  const Matrix tied = Matrix::Constant(3, 2, Real{0.5});
  EXPECT_TRUE(close(adaptive_calibration_error(tied, Labels{0, 1, 1}, 2), 1.0 / 6, 1e-14));
  EXPECT_THAT(describe_adaptive_calibration_error(15), testing::HasSubstr("B = 15"));
  EXPECT_THROW_MESSAGE(adaptive_calibration_error(tied, Labels{0, 1, 1}, 0), InvalidArgument, "bins is 0");
}

// The check of the golden kind, on a case of two rows that was worked out by hand.
TEST(Calibration, GoldenCheckOnTwoRows) {
  const nlohmann::json golden = {{"case", "calibration"},
                                 {"probabilities", {{0.75, 0.25}, {0.5, 0.5}}},
                                 {"labels", {0, 1}},
                                 {"bins", 4},
                                 {"accuracy", 0.5},
                                 {"ece", 0.375},
                                 {"mce", 0.5},
                                 {"log_likelihood", (std::log(0.75) + std::log(0.5)) / 2},
                                 {"brier", (0.125 + 0.5) / 2}};
  check_calibration(golden);
}

}  // namespace
}  // namespace fedstein
