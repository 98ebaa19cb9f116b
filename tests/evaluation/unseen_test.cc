// SPDX-License-Identifier: Apache-2.0
// Areas under ROC curves of a few rows, counted by hand.
#include "fedstein/evaluation/unseen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/uncertainty.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class UnseenByAClassifier : public testing::Test {
 protected:
  std::map<std::string, double> figures(const Matrix& known, const Matrix& foreign, const Particles& particles) const {
    const Vector labels = Vector::Ones(known.rows());
    UnseenDetection detection(model_, Batch{known, labels});
    detection.add("rows", foreign);
    return detection.figures(particles);
  }

  // Two particles: p(+1 | x) = 1/2 of the second everywhere; 1/2, 3/4 and 9/10 of the first at x = 0, 1 and 2.
  LogisticRegression model_{1};
  Particles particles_{{static_cast<Real>(std::log(3)), 0}, {0, 0}};
};

TEST_F(UnseenByAClassifier, DisagreementOnForeignRowsOnlyTellsAllOfThem) {
  const auto found = figures(Matrix{{0}, {0}, {0}}, Matrix{{1}, {-1}, {2}}, particles_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("unseen@rows"), 1);
  // Known rows are halves, the largest entropy there is.
  EXPECT_EQ(found.at("unseen_total@rows"), 0);
}

TEST_F(UnseenByAClassifier, PairsAreCounted) {
  const auto found = figures(Matrix{{0}, {1}}, Matrix{{0}, {2}}, particles_);
  // Disagreement grows with x. Of four pairs one is a tie and one is wrong.
  EXPECT_EQ(found.at("unseen@rows"), 2.5 / 4);
  // Entropy falls with x.
  EXPECT_EQ(found.at("unseen_total@rows"), 1.5 / 4);
}

TEST_F(UnseenByAClassifier, ParticlesThatAgreeKnowNoDifference) {
  const Matrix known = random_matrix(40, 1, 1);
  const Matrix foreign = 3 * random_matrix(30, 1, 2);
  for (const Index count : {1, 3, 7, 8}) {
    const Particles alike = Particles{{0.7_r, 0.3_r}}.replicate(count, 1);
    const auto found = figures(known, foreign, alike);
    EXPECT_EQ(found.at("unseen@rows"), 0.5) << count;
    EXPECT_NE(found.at("unseen_total@rows"), 0.5) << count;
  }
}

TEST_F(UnseenByAClassifier, ManyRowsAreJudgedAsAFew) {
  const Matrix known = random_matrix(1300, 1, 1);
  const Matrix foreign = 2 * random_matrix(700, 1, 2);
  Matrix all(2000, 1);
  all << known, foreign;
  std::vector<Index> labels(2000, 1);
  std::fill_n(labels.begin(), 1300, Index{0});
  const Particles particles = random_matrix(5, 2, 3);
  std::vector<Matrix> each;
  for (Index n = 0; n < 5; ++n) {
    each.push_back(model_.predictive()->predict(particles.middleRows(n, 1), all).probabilities);
  }
  const EntropySplit split = entropy_split(each);
  const auto found = figures(known, foreign, particles);
  EXPECT_NEAR(found.at("unseen@rows"), auroc(split.epistemic, labels), 1e-4);
  EXPECT_NEAR(found.at("unseen_total@rows"), auroc(split.total, labels), 1e-4);
}

TEST_F(UnseenByAClassifier, FiguresStandInTheRecordUnderTheNamesOfTheirSets) {
  const Matrix known{{0}};
  const Vector labels{{1}};
  const Matrix near{{0}};
  const Matrix far{{5}};
  UnseenDetection detection(model_, Batch{known, labels});
  detection.add("near", near);
  detection.add("far", far);
  RoundRecord record{.round = 3};
  EXPECT_EQ(detection.on_round(record, particles_), Next::kContinue);
  EXPECT_EQ(record.figures.size(), 4U);
  EXPECT_EQ(record.figures.at("unseen@near"), 0.5);
  EXPECT_EQ(record.figures.at("unseen@far"), 1);
}

TEST_F(UnseenByAClassifier, WhatIsNoNumberHasNoFigure) {
  particles_(0, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_TRUE(figures(Matrix{{0}}, Matrix{{1}}, particles_).empty());
}

TEST_F(UnseenByAClassifier, BadRowsAreRefused) {
  const Matrix rows{{1}};
  EXPECT_THROW_MESSAGE(figures(Matrix(0, 1), rows, particles_), InvalidArgument, "no known rows");
  EXPECT_THROW_MESSAGE(figures(rows, Matrix(0, 1), particles_), InvalidArgument, "'rows' has 0 rows");
  EXPECT_THROW_MESSAGE(figures(rows, Matrix{{1, 2}}, particles_), InvalidArgument, "of 2 columns; at least 1 of 1");
}

// f(x) = 2 max(x, 0) + 1 with noise variance 1, and f(x) = 1 with 1/4: they agree up to x = 0.
TEST(UnseenByARegression, VariancesAreJudged) {
  const BnnRegression model({.inputs = 1, .hidden = 1});
  const Particles particles{{1, 0, 2, 1, 0}, {0, 0, 0, 1, static_cast<Real>(std::log(4))}};
  const Matrix known{{-1}, {0}, {1}};
  const Vector targets{{1, 1, 1}};
  const Matrix foreign{{-2}, {2}};
  UnseenDetection detection(model, Batch{known, targets});
  detection.add("rows", foreign);
  // x = -2 ties with two of three known rows, x = 2 is above all. The noise is the same everywhere.
  const auto found = detection.figures(particles);
  EXPECT_TRUE(close(found.at("unseen@rows"), (1.0 + 3) / 6));
  EXPECT_TRUE(close(found.at("unseen_total@rows"), (1.0 + 3) / 6));
  const auto alone = detection.figures(particles.topRows(1));
  EXPECT_EQ(alone.at("unseen@rows"), 0.5);
  EXPECT_EQ(alone.at("unseen_total@rows"), 0.5);
}

TEST(UnseenByADensityModel, ThereIsNothingToJudge) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  EXPECT_THROW_MESSAGE(UnseenDetection(model, Batch{x, y}), InvalidArgument, "predicts nothing");
}

}  // namespace
}  // namespace fedstein
