// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/generators.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/data_folder.h"
#include "fedstein/data/load.h"
#include "fedstein/data/partition.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct ClassMoments {
  Index count = 0;
  DoubleVector mean;
  DoubleMatrix covariance;
};

ClassMoments moments(const Dataset& set, Index label) {
  std::vector<Index> members;
  for (Index row = 0; row < set.x.rows(); ++row) {
    if (class_of(set, row) == label) members.push_back(row);
  }
  const DoubleMatrix x = rows(set, members).x.cast<double>();
  const DoubleVector mean = x.colwise().mean().transpose();
  const DoubleMatrix centred = x.rowwise() - mean.transpose();
  return {x.rows(), mean, centred.transpose() * centred / static_cast<double>(x.rows() - 1)};
}

constexpr Index kMany = 200000;

TEST(Generators, TwonormHasItsDefinitionsMoments) {
  const Dataset set = make_twonorm({.rows = kMany, .seed = 1, .standardise = false});
  validate(set);
  const double a = 2 / std::sqrt(20.0);
  const double error = 5 / std::sqrt(kMany / 2.0);
  for (const Index label : {0, 1}) {
    const ClassMoments found = moments(set, label);
    EXPECT_NEAR(static_cast<double>(found.count), kMany / 2.0, 2.5 * std::sqrt(kMany));
    EXPECT_LT((found.mean.array() - (label == 1 ? a : -a)).abs().maxCoeff(), error);
    EXPECT_LT((found.covariance - DoubleMatrix::Identity(20, 20)).cwiseAbs().maxCoeff(), 1.5 * error);
  }
}

TEST(Generators, RingnormHasItsDefinitionsMoments) {
  const Dataset set = make_ringnorm({.rows = kMany, .seed = 1, .standardise = false});
  validate(set);
  const double a = 2 / std::sqrt(20.0);
  const double error = 5 / std::sqrt(kMany / 2.0);
  const ClassMoments wide = moments(set, 1);
  EXPECT_LT(wide.mean.cwiseAbs().maxCoeff(), 2 * error);
  EXPECT_LT((wide.covariance - 4 * DoubleMatrix::Identity(20, 20)).cwiseAbs().maxCoeff(), 6 * error);
  const ClassMoments narrow = moments(set, 0);
  EXPECT_LT((narrow.mean.array() - a).abs().maxCoeff(), error);
  EXPECT_LT((narrow.covariance - DoubleMatrix::Identity(20, 20)).cwiseAbs().maxCoeff(), 1.5 * error);
}

// Mean of u h_a + (1-u) h_b is (h_a + h_b) / 2; its covariance (h_a - h_b)(h_a - h_b)' / 12, plus the noise.
TEST(Generators, ThePositiveWaveformIsTheFirstAndThirdWave) {
  const Dataset set = make_waveform({.rows = kMany, .seed = 1, .standardise = false});
  validate(set);
  DoubleVector first = DoubleVector::Zero(21);
  DoubleVector third = DoubleVector::Zero(21);
  for (Index i = -5; i <= 5; ++i) first(10 + i) = third(6 + i) = static_cast<double>(6 - std::abs(i));
  const ClassMoments found = moments(set, 1);
  EXPECT_NEAR(static_cast<double>(found.count) / kMany, 1.0 / 3, 0.005);
  EXPECT_LT((found.mean - (first + third) / 2).cwiseAbs().maxCoeff(), 0.04);
  const DoubleMatrix expected = (first - third) * (first - third).transpose() / 12 + DoubleMatrix::Identity(21, 21);
  EXPECT_LT((found.covariance - expected).cwiseAbs().maxCoeff(), 0.06);
}

TEST(Generators, DefaultShapesAreThePublishedOnes) {
  EXPECT_EQ(make_dataset("twonorm", {}).x.rows(), 7400);
  EXPECT_EQ(make_dataset("ringnorm", {}).x.cols(), 20);
  EXPECT_EQ(make_dataset("waveform", {}).x.rows(), 5000);
  EXPECT_EQ(make_dataset("waveform", {.rows = 12}).x.rows(), 12);
  EXPECT_EQ(make_dataset("feature-skew", {}).x.rows(), 6000);
  EXPECT_EQ(make_dataset("two-arcs", {}).x.rows(), 2200);
  EXPECT_EQ(make_dataset("two-arcs", {}).x.cols(), 2);
  EXPECT_THROW_MESSAGE(make_dataset("two-arcs", {.rows = 5}), InvalidArgument, "TwoArcsOptions");
  EXPECT_THROW_MESSAGE(make_dataset("heart", {}), InvalidArgument, "no generator for 'heart'; known: twonorm");
  EXPECT_THROW_MESSAGE(make_dataset("twonorm", {.rows = -1}), InvalidArgument, "rows is -1");
  EXPECT_THROW_MESSAGE(make_dataset("feature-skew", {.rows = 5}), InvalidArgument, "FeatureSkewOptions");
}

TEST(Generators, AreDeterminedByTheSeed) {
  for (const char* name : {"twonorm", "ringnorm", "waveform", "feature-skew", "two-arcs"}) {
    EXPECT_EQ(checksum(make_dataset(name, {.seed = 4})), checksum(make_dataset(name, {.seed = 4}))) << name;
    EXPECT_NE(checksum(make_dataset(name, {.seed = 4})), checksum(make_dataset(name, {.seed = 5}))) << name;
  }
}

TEST(Generators, StandardisedFeaturesHaveMeanZeroAndDeviationOne) {
  const DoubleMatrix x = make_waveform({.seed = 2}).x.cast<double>();
  const DoubleVector means = x.colwise().mean().transpose();
  EXPECT_LT(means.cwiseAbs().maxCoeff(), 1e-6);
  for (Index column = 0; column < x.cols(); ++column) {
    EXPECT_NEAR(x.col(column).squaredNorm() / static_cast<double>(x.rows() - 1), 1, 1e-5);
  }
}

// A published file against many generated rows. Classes, means and covariances agree within sampling error: the file's
// deviation of a mean is sigma / sqrt(n), of a covariance at most about sqrt(2) sigma^2 / sqrt(n), here five of them.
class PublishedSet : public testing::TestWithParam<const char*> {};

TEST_P(PublishedSet, HasTheGeneratorsMoments) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const Dataset published = load_dataset(GetParam(), folder);
  const Dataset made = make_dataset(GetParam(), {.rows = kMany, .seed = 7});
  for (const Index label : {0, 1}) {
    const ClassMoments file = moments(published, label);
    const ClassMoments own = moments(made, label);
    const double rows_of_file = static_cast<double>(published.x.rows());
    EXPECT_NEAR(static_cast<double>(file.count) / rows_of_file,
                static_cast<double>(own.count) / kMany,
                2.5 / std::sqrt(rows_of_file));
    const double error = 5 / std::sqrt(static_cast<double>(file.count));
    const double largest = own.covariance.diagonal().maxCoeff();
    EXPECT_LT((file.mean - own.mean).cwiseAbs().maxCoeff(), error * std::sqrt(largest));
    EXPECT_LT((file.covariance - own.covariance).cwiseAbs().maxCoeff(), error * std::sqrt(2.0) * largest);
  }
}

// The comparison above can tell the labels apart: with the signs exchanged it must fail.
TEST_P(PublishedSet, WouldNotMatchTheOtherSigns) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const ClassMoments file = moments(load_dataset(GetParam(), folder), 1);
  const ClassMoments other = moments(make_dataset(GetParam(), {.rows = kMany, .seed = 7}), 0);
  const double error = 5 / std::sqrt(static_cast<double>(file.count));
  EXPECT_GT((file.mean - other.mean).cwiseAbs().maxCoeff(), 2 * error);
}

INSTANTIATE_TEST_SUITE_P(RealData,
                         PublishedSet,
                         testing::Values("twonorm", "ringnorm", "waveform"),
                         [](const auto& each) { return std::string(each.param); });

TEST(FeatureSkew, AgentsSeeTheirOwnFeaturesOnly) {
  const Dataset set = make_feature_skew({.seed = 6});
  validate(set);
  EXPECT_EQ(set.x.cols(), 20);
  for (Index row = 0; row < 2000; ++row) {
    const Index agent = row / 200;
    ASSERT_EQ(set.group[static_cast<std::size_t>(row)], agent);
    for (Index column = 0; column < 20; ++column) ASSERT_EQ(set.x(row, column) != 0, column / 2 == agent);
  }
  for (Index row = 2000; row < 6000; ++row) {
    ASSERT_EQ(set.group[static_cast<std::size_t>(row)], kNoGroup);
    ASSERT_TRUE((set.x.row(row).array() != 0).all());
  }
  const Shards shards = partition(set, all_rows(2000), {.kind = PartitionKind::kByGroup, .agents = 10});
  EXPECT_EQ(shards[9].front(), 1800);
}

// E[y x_j] = w_j E[y'(w x)] with y = tanh(w x / 2): its sign tells the weight's sign, and all weights are as large.
TEST(FeatureSkew, LabelsFollowWeightsOfOneSize) {
  const Dataset set = make_feature_skew({.test_rows = 100000, .seed = 6});
  const DoubleMatrix x = set.x.bottomRows(100000).cast<double>();
  const DoubleVector correlation = x.transpose() * set.y.tail(100000).cast<double>() / 100000;
  EXPECT_GT(correlation.cwiseAbs().minCoeff(), 0.15);
  EXPECT_LT(correlation.cwiseAbs().maxCoeff(), 0.2);
  EXPECT_GT(correlation.maxCoeff(), 0);
  EXPECT_LT(correlation.minCoeff(), 0);
  // The best classifier, sign(w x), errs with probability E sigmoid(-|w x|), w x ~ N(0, 80): 0.061.
  Index right = 0;
  for (Index row = 0; row < x.rows(); ++row) {
    const double logit = 2 * x.row(row).dot(correlation.cwiseSign());
    if ((logit > 0) == (set.y(2000 + row) > 0)) ++right;
  }
  EXPECT_NEAR(static_cast<double>(right) / 100000, 0.939, 0.004);
}

TEST(FeatureSkew, RefusesEmptyShapes) {
  EXPECT_THROW_MESSAGE(make_feature_skew({.agents = 0}), InvalidArgument, "agents is 0");
  EXPECT_THROW_MESSAGE(make_feature_skew({.rows_per_agent = -2}), InvalidArgument, "rows_per_agent is -2");
  EXPECT_THROW_MESSAGE(make_feature_skew({.weight = 0}), InvalidArgument, "weight is 0");
}

// Of an arc, E cos t = 0 and E sin t = 2 / pi; Var cos t = 1/2, Var sin t = 1/2 - 4 / pi^2, and they do not correlate.
TEST(TwoArcs, EitherArcHasItsDefinitionsMoments) {
  constexpr double kNoise = 0.2;
  const Dataset set = make_two_arcs({.train_rows = kMany, .test_rows = 1, .noise = kNoise, .seed = 6});
  validate(set);
  const double error = 5 * 0.74 / std::sqrt(kMany / 2.0);
  const double height = 2 / std::numbers::pi;
  for (const Index label : {0, 1}) {
    const double sign = label == 1 ? 1 : -1;
    const ClassMoments found = moments(set, label);
    EXPECT_NEAR(static_cast<double>(found.count), kMany / 2.0, 2.5 * std::sqrt(kMany));
    EXPECT_NEAR(found.mean(0), sign * -0.5, error);
    EXPECT_NEAR(found.mean(1), sign * (height - 0.25), error);
    EXPECT_NEAR(found.covariance(0, 0), 0.5 + kNoise * kNoise, error);
    EXPECT_NEAR(found.covariance(1, 1), 0.5 - height * height + kNoise * kNoise, error);
    EXPECT_NEAR(found.covariance(0, 1), 0, error);
  }
}

// Without noise a row lies on its arc: at distance 1 from its centre, on the outer side.
TEST(TwoArcs, RowsLieOnTheArcs) {
  const Dataset set = make_two_arcs({.train_rows = 400, .test_rows = 100, .noise = 1e-6, .seed = 2});
  for (Index row = 0; row < set.x.rows(); ++row) {
    const double sign = set.y(row);
    const double along = sign * set.x(row, 0) + 0.5;
    const double up = sign * set.x(row, 1) + 0.25;
    ASSERT_NEAR(along * along + up * up, 1, 1e-4);
    ASSERT_GE(up, -1e-4);
  }
}

// Agent by agent the nearest centre, of training and test rows; every agent sees some rows, and no two see one place.
TEST(TwoArcs, AgentsSeeTheirOwnRegionOnly) {
  const double centres[5][2] = {{0, 0}, {-1.3, 0}, {-0.5, 0.8}, {0.5, -0.8}, {1.3, 0}};
  const Dataset set = make_two_arcs({.seed = 3});
  std::vector<Index> counts(5, 0);
  for (Index row = 0; row < set.x.rows(); ++row) {
    std::vector<double> distances;
    for (const auto& centre : centres)
      distances.push_back(std::hypot(set.x(row, 0) - centre[0], set.x(row, 1) - centre[1]));
    const Index agent = set.group[static_cast<std::size_t>(row)];
    ASSERT_NEAR(
        distances[static_cast<std::size_t>(agent)], *std::min_element(distances.begin(), distances.end()), 1e-5);
    if (row < 200) ++counts[static_cast<std::size_t>(agent)];
  }
  for (const Index count : counts) EXPECT_GT(count, 10);
  const Shards shards = partition(set, all_rows(200), {.kind = PartitionKind::kByGroup, .agents = 5});
  for (std::size_t agent = 0; agent < 5; ++agent) EXPECT_EQ(static_cast<Index>(shards[agent].size()), counts[agent]);
}

TEST(TwoArcs, RefusesEmptyShapes) {
  EXPECT_THROW_MESSAGE(make_two_arcs({.train_rows = 0}), InvalidArgument, "train_rows is 0");
  EXPECT_THROW_MESSAGE(make_two_arcs({.test_rows = -2}), InvalidArgument, "test_rows is -2");
  EXPECT_THROW_MESSAGE(make_two_arcs({.noise = 0}), InvalidArgument, "noise is 0");
}

}  // namespace
}  // namespace fedstein
