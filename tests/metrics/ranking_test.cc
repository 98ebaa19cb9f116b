// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/ranking.h"

#include <cmath>

#include "fedstein/metrics/classification.h"
#include "fedstein/numeric/check.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Labels = std::vector<Index>;

double auroc_by_pairs(const DoubleVector& scores, const Labels& labels) {
  double wins = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[i] != 1 || labels[j] != 0) continue;
      const double above = scores(static_cast<Index>(i)) - scores(static_cast<Index>(j));
      wins += above > 0 ? 1 : above == 0 ? 0.5 : 0;
      ++pairs;
    }
  }
  return wins / pairs;
}

TEST(Auroc, ByHand) {
  EXPECT_EQ(auroc(DoubleVector{{0.1, 0.4, 0.35, 0.8}}, Labels{0, 0, 1, 1}), 0.75);
  EXPECT_EQ(auroc(DoubleVector{{1, 2, 3, 4}}, Labels{0, 0, 1, 1}), 1);
  EXPECT_EQ(auroc(DoubleVector{{4, 3, 2, 1}}, Labels{0, 0, 1, 1}), 0);
  EXPECT_EQ(auroc(DoubleVector::Ones(5), Labels{0, 1, 0, 0, 1}), 0.5);
  EXPECT_EQ(auroc(DoubleVector{{-INFINITY, INFINITY}}, Labels{0, 1}), 1);
}

TEST(Auroc, EqualsTheCountOverPairs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample sample = seed % 2 == 0 ? smooth_sample(60, 2, seed) : coarse_sample(60, 2, seed);
    const DoubleVector scores = sample.probabilities.col(1).cast<double>();
    EXPECT_TRUE(close(auroc(scores, sample.labels), auroc_by_pairs(scores, sample.labels), 1e-12)) << seed;
  }
}

TEST(Auroc, Refuses) {
  EXPECT_THROW_MESSAGE(auroc(DoubleVector{{1, 2}}, Labels{1, 1}), InvalidArgument, "all 2 labels are 1; both 0 and 1");
  EXPECT_THROW_MESSAGE(auroc(DoubleVector{{1, 2}}, Labels{0, 2}), InvalidArgument, "labels holds 2 in row 1");
  EXPECT_THROW_MESSAGE(
      auroc(DoubleVector{{1, NAN}}, Labels{0, 1}), InvalidArgument, "auroc: scores holds nan in row 1");
  EXPECT_THROW_MESSAGE(auroc(DoubleVector{{1, 2}}, Labels{0}), InvalidArgument, "labels has 1 row; it must have 2");
  EXPECT_THROW_MESSAGE(auroc(DoubleVector(0), Labels{}), InvalidArgument, "scores is empty");
}

TEST(RiskCoverage, ByHandWithoutTies) {
  const RiskCoverage curve = risk_coverage(DoubleVector{{0.5, 0.9, 0.6, 0.8}}, DoubleVector{{1, 0, 1, 0}});
  ASSERT_EQ(curve.points.size(), 4);
  EXPECT_EQ(curve.points[0].threshold, 0.9);
  EXPECT_EQ(curve.points[1].coverage, 0.5);
  EXPECT_EQ(curve.points[1].risk, 0);
  EXPECT_TRUE(close(curve.points[2].risk, 1.0 / 3, 1e-14));
  EXPECT_EQ(curve.points[3].coverage, 1);
  EXPECT_EQ(curve.points[3].risk, 0.5);
  EXPECT_TRUE(close(curve.area, (0 + 0 + 1.0 / 3 + 0.5) / 4, 1e-14));
}

// The area under ties is the mean over all orders of the tied rows.
TEST(RiskCoverage, TiesAreKeptTogetherAndAveraged) {
  const DoubleVector tied{{0.9, 0.5, 0.5, 0.2}};
  const DoubleVector losses{{0, 1, 0, 1}};
  const RiskCoverage curve = risk_coverage(tied, losses);
  ASSERT_EQ(curve.points.size(), 3);
  EXPECT_EQ(curve.points[1].coverage, 0.75);
  const double one_order = risk_coverage(DoubleVector{{0.9, 0.6, 0.5, 0.2}}, losses).area;
  const double other_order = risk_coverage(DoubleVector{{0.9, 0.5, 0.6, 0.2}}, losses).area;
  EXPECT_TRUE(close(curve.area, (one_order + other_order) / 2, 1e-14));
  EXPECT_TRUE(close(risk_coverage(DoubleVector::Ones(4), losses).area, 0.5, 1e-14));
}

TEST(RiskCoverage, OneRow) {
  const RiskCoverage curve = risk_coverage(DoubleVector{{0.7}}, DoubleVector{{1}});
  EXPECT_EQ(curve.points.size(), 1);
  EXPECT_EQ(curve.area, 1);
}

TEST(RiskCoverage, Refuses) {
  const DoubleVector two{{1, 0}};
  EXPECT_THROW_MESSAGE(risk_coverage(DoubleVector{{1, NAN}}, two), InvalidArgument, "confidences holds nan in row 1");
  EXPECT_THROW_MESSAGE(risk_coverage(two, DoubleVector{{INFINITY, 0}}), InvalidArgument, "losses holds inf in row 0");
  EXPECT_THROW_MESSAGE(risk_coverage(two, DoubleVector{{0}}), InvalidArgument, "losses has 1 row; it must have 2");
}

TEST(Abstention, LeavesOutTheLeastConfidentWithinTheFraction) {
  DoubleVector confidences(10);
  DoubleVector losses(10);
  for (Index i = 0; i < 10; ++i) {
    confidences(i) = static_cast<double>(i);
    losses(i) = i < 3 ? 1 : 0;
  }
  const std::vector<double> fractions{0, 0.1, 0.25, 0.3, 0.99};
  const auto points = accuracy_when_abstaining(confidences, losses, fractions);
  ASSERT_EQ(points.size(), 5);
  EXPECT_TRUE(close(points[0].accuracy, 0.7, 1e-12));
  EXPECT_EQ(points[0].abstained, 0);
  EXPECT_TRUE(close(points[1].abstained, 0.1, 1e-12));
  EXPECT_TRUE(close(points[1].accuracy, 7.0 / 9, 1e-12));
  EXPECT_TRUE(close(points[2].abstained, 0.2, 1e-12));
  EXPECT_TRUE(close(points[3].accuracy, 1.0, 1e-12));
  EXPECT_EQ(points[3].threshold, 3);
  EXPECT_TRUE(close(points[4].abstained, 0.9, 1e-12));
}

// 1 - 1.0 / 3 is above 2.0 / 3 in double; a third of three rows is one row all the same.
TEST(Abstention, RoundingDoesNotKeepARow) {
  const std::vector<double> third{1.0 / 3};
  const auto point = accuracy_when_abstaining(DoubleVector{{1, 2, 3}}, DoubleVector{{1, 0, 0}}, third)[0];
  EXPECT_EQ(point.threshold, 2);
  EXPECT_EQ(point.accuracy, 1);
}

TEST(Abstention, NeverSplitsATieNorAbstainsOnAll) {
  const std::vector<double> half{0.5};
  const auto point = accuracy_when_abstaining(DoubleVector::Ones(4), DoubleVector{{1, 0, 0, 0}}, half)[0];
  EXPECT_EQ(point.abstained, 0);
  EXPECT_EQ(point.accuracy, 0.75);
}

TEST(Abstention, Refuses) {
  const DoubleVector two{{1, 0}};
  const std::vector<double> all{1.0};
  EXPECT_THROW_MESSAGE(
      accuracy_when_abstaining(two, two, all), InvalidArgument, "a fraction is 1; it must be at least 0 and below 1");
  EXPECT_THROW_MESSAGE(
      accuracy_when_abstaining(two, DoubleVector{{0.5, 0}}, all), InvalidArgument, "losses holds 0.5 in row 0");
}

}  // namespace
}  // namespace fedstein
