// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/prediction_repulsion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "model/model_data.h"
#include "support/allocation_counter.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kInputs = 5;
constexpr StreamId kStream{.seed = 3, .agent = 1, .round = 2};

const BnnClassification& classifier() {
  static const BnnClassification model({.inputs = kInputs, .hidden = 4, .classes = 3});
  return model;
}

// Units far on one side of their kinks, so that difference quotients are exact.
Matrix particles_of(const Model& model, Index count = 4) {
  Matrix out = random_matrix(count, model.dimension(), 5);
  out.leftCols(kInputs * 4) *= Real(0.3);
  out.middleCols(kInputs * 4, 4).setConstant(6);
  out.middleCols((kInputs + 1) * 4, 4) *= Real(0.3);
  return out;
}

Matrix repulsion_of(const PredictionRepulsion& score, const Matrix& theta, double weight = 1) {
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  score.add(theta, 7, weight, grad);
  return grad;
}

// The inputs of step 7, by plain loops.
Matrix shuffled_inputs(const MinibatchLikelihood& rows, const Rows& data) {
  const std::vector<Index> taken = rows.rows_of(7);
  std::vector<Index> order(kInputs);
  for (Index j = 0; j < kInputs; ++j) order[static_cast<std::size_t>(j)] = j;
  Rng rng(StreamId{kStream.seed, kStream.agent, kStream.round, Purpose::kRepulsion}, 7);
  for (std::size_t j = kInputs - 1; j > 0; --j) std::swap(order[j], order[rng.below(j + 1)]);
  Matrix x(static_cast<Index>(taken.size()), kInputs);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < kInputs; ++j) {
      x(i, j) = data.x(taken[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
  }
  return x;
}

double distance(const Matrix& a, const Matrix& b) {
  return (a - b).cast<double>().squaredNorm() / static_cast<double>(a.cols());
}

void expect_the_gradient_of_its_formula(const Model& model, const Matrix& theta, const Rows& data) {
  const MinibatchLikelihood rows(model, data.batch(), 20, kStream);
  const Matrix x = shuffled_inputs(rows, data);
  const auto answers_of = [&](const Matrix& row) {
    Matrix out(model.answers()->numbers(), x.rows());
    model.answers()->answer(row.row(0), x, out);
    return out;
  };
  std::vector<Matrix> f;
  std::vector<double> pairs;
  for (Index i = 0; i < theta.rows(); ++i) {
    f.push_back(answers_of(theta.row(i)));
    for (Index j = 0; j < i; ++j) pairs.push_back(distance(f.back(), f[static_cast<std::size_t>(j)]));
  }
  std::sort(pairs.begin(), pairs.end());
  const double h = pairs[pairs.size() / 2] / std::log(5.0);
  const auto potential = [&](const Matrix& row) {
    const Matrix mine = answers_of(row);
    double sum = 0;
    for (const Matrix& other : f) sum += std::exp(-distance(mine, other) / h);
    return -std::log(sum);
  };
  const Matrix found = repulsion_of(PredictionRepulsion(model, rows, kStream), theta, 2);
  constexpr double kStep = sizeof(Real) == 8 ? 1e-5 : 2e-3;
  const double size = found.cast<double>().cwiseAbs().maxCoeff();
  EXPECT_GT(size, 0.01);
  for (Index i = 0; i < theta.rows(); ++i) {
    for (Index j = 0; j < theta.cols(); ++j) {
      Matrix above = theta.row(i);
      Matrix below = theta.row(i);
      above(0, j) += static_cast<Real>(kStep);
      below(0, j) -= static_cast<Real>(kStep);
      const double quotient = (potential(above) - potential(below)) / (2 * kStep);
      EXPECT_NEAR(static_cast<double>(found(i, j)), 2 * quotient, 0.02 * size) << i << ", " << j;
    }
  }
}

TEST(PredictionRepulsion, IsTheGradientOfItsFormula) {
  expect_the_gradient_of_its_formula(classifier(), particles_of(classifier()), class_rows(50, kInputs, 3, 1));
  const BnnRegression regression({.inputs = kInputs, .hidden = 4});
  expect_the_gradient_of_its_formula(regression, particles_of(regression), target_rows(50, kInputs, 1));
  const LogisticRegression logistic(kInputs, {.intercept = true});
  expect_the_gradient_of_its_formula(logistic, random_matrix(4, logistic.dimension(), 5), signed_rows(50, kInputs, 1));
}

TEST(PredictionRepulsion, IsNothingForOneParticleOrForParticlesThatAgree) {
  const Rows data = class_rows(50, kInputs, 3, 1);
  const MinibatchLikelihood rows(classifier(), data.batch(), 20, kStream);
  const PredictionRepulsion score(classifier(), rows, kStream);
  EXPECT_TRUE(repulsion_of(score, particles_of(classifier(), 1)).isZero(0));
  EXPECT_TRUE(repulsion_of(score, particles_of(classifier(), 1).replicate(3, 1)).isZero(0));
}

// Two particles that answer differently move further apart.
TEST(PredictionRepulsion, DrivesAnswersApart) {
  const Rows data = class_rows(50, kInputs, 3, 1);
  const MinibatchLikelihood rows(classifier(), data.batch(), 20, kStream);
  const PredictionRepulsion score(classifier(), rows, kStream);
  const Matrix x = shuffled_inputs(rows, data);
  const auto apart = [&](const Matrix& theta) {
    Matrix first(3, x.rows());
    Matrix second(3, x.rows());
    classifier().answers()->answer(theta.row(0), x, first);
    classifier().answers()->answer(theta.row(1), x, second);
    return distance(first, second);
  };
  const Matrix theta = particles_of(classifier(), 2);
  EXPECT_GT(apart(theta + Real(0.01) * repulsion_of(score, theta)), apart(theta));
}

TEST(PredictionRepulsion, AllocatesNothingOnceWarm) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  const ThreadLimit one(1);
  const Rows data = class_rows(50, kInputs, 3, 1);
  const MinibatchLikelihood rows(classifier(), data.batch(), 20, kStream);
  const PredictionRepulsion score(classifier(), rows, kStream);
  const Matrix theta = particles_of(classifier());
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  for (Index step = 0; step < 6; ++step) score.add(theta, step, 1, grad);
  const long before = allocations_so_far();
  for (Index step = 6; step < 12; ++step) score.add(theta, step, 1, grad);
  EXPECT_EQ(allocations_so_far() - before, 0);
}

TEST(PredictionRepulsion, RefusesModelsWithoutAnswers) {
  const Rows data = signed_rows(50, 2, 1);
  const ConjugateGaussian model(Gaussian{DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)},
                                DoubleMatrix::Identity(2, 2));
  const MinibatchLikelihood rows(model, data.batch(), 20, kStream);
  EXPECT_THROW_MESSAGE(PredictionRepulsion(model, rows, kStream), InvalidArgument, "the model has no answers()");
}

}  // namespace
}  // namespace fedstein
