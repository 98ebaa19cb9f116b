// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/classification_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/numeric/check.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Vector losses_of(const ClassificationLoss& loss, const Matrix& logits, const Vector& labels) {
  Vector out(labels.size());
  loss.evaluate(logits, labels, out);
  return out;
}

Vector cycling_labels(Index rows, Index classes) {
  Vector labels(rows);
  for (Index i = 0; i < rows; ++i) labels(i) = static_cast<Real>(i % classes);
  return labels;
}

TEST(ClassificationLoss, EqualTheirFormulas) {
  const Matrix logits = random_matrix(4, 20, 1, 0, 2);
  const Vector labels = cycling_labels(20, 4);
  const double beta = 0.7;
  const Vector cross = losses_of(CrossEntropy(), logits, labels);
  const Vector robust = losses_of(BetaDivergence(beta), logits, labels);
  for (Index i = 0; i < 20; ++i) {
    const DoubleVector e = logits.col(i).cast<double>().array().exp();
    const DoubleVector p = e / e.sum();
    const double of_label = p(static_cast<Index>(labels(i)));
    EXPECT_TRUE(close(static_cast<double>(cross(i)), -std::log(of_label)));
    const double expected = (1 - std::pow(of_label, beta)) / beta + (p.array().pow(1 + beta).sum() - 1) / (1 + beta);
    EXPECT_NEAR(static_cast<double>(robust(i)), expected, kValueTolerance);
  }
}

TEST(ClassificationLoss, BetaDivergenceTendsToTheCrossEntropy) {
  const Matrix logits = random_matrix(3, 9, 2);
  const Vector labels = cycling_labels(9, 3);
  const BetaDivergence nearly(1e-3);
  EXPECT_TRUE(close(losses_of(nearly, logits, labels), losses_of(CrossEntropy(), logits, labels), 5e-3));
  Matrix slopes = logits;
  Matrix expected = logits;
  nearly.differentiate(labels, slopes);
  cross_entropy()->differentiate(labels, expected);
  EXPECT_TRUE(close(slopes, expected, 5e-3));
}

TEST(ClassificationLoss, StayFiniteForHugeLogits) {
  Matrix logits(2, 4);
  logits << 1000, 1000, -1000, -1000, -1000, -1000, 1000, 1000;
  const Vector labels = (Vector(4) << 0, 1, 0, 1).finished();
  const BetaDivergence robust(0.5);
  EXPECT_TRUE(close(losses_of(CrossEntropy(), logits, labels), (Vector(4) << 0, 2000, 2000, 0).finished()));
  // 1/beta + (1 - 1)/(1 + beta): a row that is certainly wrong costs no more than that.
  EXPECT_TRUE(close(losses_of(robust, logits, labels), (Vector(4) << 0, 2, 2, 0).finished()));
  for (const ClassificationLoss* loss : {cross_entropy().get(), static_cast<const ClassificationLoss*>(&robust)}) {
    Matrix slopes = logits;
    loss->differentiate(labels, slopes);
    EXPECT_TRUE(slopes.allFinite());
  }
}

TEST(ClassificationLoss, AMislabelledRowPullsLessUnderTheRobustLoss) {
  Matrix logits(2, 1);
  logits << 6, -6;
  const Vector wrong = Vector::Ones(1);
  Matrix plain = logits;
  Matrix robust = logits;
  cross_entropy()->differentiate(wrong, plain);
  BetaDivergence(0.5).differentiate(wrong, robust);
  EXPECT_GT(plain.norm(), 1.4);
  EXPECT_LT(robust.norm(), 0.01);
}

// A loss of one's own: the squared distance of the logits from the label's corner.
class SquaredLoss : public ClassificationLoss {
 public:
  void evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const override {
    Matrix gap = logits;
    differentiate(labels, gap);
    losses = gap.colwise().squaredNorm().transpose() / 8;
  }
  void differentiate(const ConstVectorRef& labels, MatrixRef logits) const override {
    for (Index i = 0; i < labels.size(); ++i) logits(static_cast<Index>(labels(i)), i) -= 1;
    logits *= 2;
  }
};

TEST(ClassificationLoss, AUsersOwnReachesTheModel) {
  const BnnClassification model({.inputs = 2, .hidden = 1, .classes = 2, .loss = std::make_shared<SquaredLoss>()});
  Matrix theta = Matrix::Zero(1, model.dimension());
  theta.rightCols(2) << 3, 5;  // only b2: the logits of every row
  const Rows data{Matrix::Ones(2, 2), Vector::Zero(2)};
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), DoubleVector::Constant(1, -2 * (4.0 + 25.0) / 2)));
  const Matrix score = likelihood_score(model, theta, data.batch());
  EXPECT_TRUE(close(score.rightCols(2), (Matrix(1, 2) << -8, -20).finished()));
}

TEST(ClassificationLoss, RefusesABadBeta) {
  EXPECT_THROW_MESSAGE(BetaDivergence(0), InvalidArgument, "beta is 0; it must be a finite number above 0");
  EXPECT_THROW_MESSAGE(BetaDivergence(NAN), InvalidArgument, "beta is nan");
}

}  // namespace
}  // namespace fedstein
