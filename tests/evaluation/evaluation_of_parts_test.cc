// SPDX-License-Identifier: Apache-2.0
// Sums over parts of the rows give the figures of an evaluation of all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/evaluation/evaluation.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kRows = 3000;

void expect_sums_give_figures(const Model& model, const Matrix& x, const Vector& y, double unit) {
  const Particles particles = 0.3_r * random_matrix(6, model.dimension(), 3);
  const EvaluationOptions how{.target_deviation = unit, .sureness = true};
  std::map<std::string, double> wanted = Evaluation(model, {x, y}, how).figures(particles);
  wanted.erase("baseline");
  EvaluationSums sums;
  Index begin = 0;
  for (const Index end : {Index{10}, Index{1300}, kRows}) {
    const Matrix part_x = x.middleRows(begin, end - begin);
    const Vector part_y = y.segment(begin, end - begin);
    const EvaluationSums part = Evaluation(model, {part_x, part_y}, how).sums(particles);
    if (begin == 0) {
      sums = part;
    } else {
      sums += part;
    }
    begin = end;
  }
  const std::map<std::string, double> found = figures_of(sums);
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_NEAR(found.at(name), value, 1e-6 * (1 + std::abs(value))) << name;
  }
  const EvaluationShape shape{.bins = static_cast<Index>(sums.bins.size()), .fewest_rows = 10, .most_rows = kRows};
  EXPECT_EQ(objection_to(sums, shape), "");
}

TEST(EvaluationOfParts, OfAClassifier) {
  const Matrix x = random_matrix(kRows, 3, 1);
  Vector y(kRows);
  for (Index i = 0; i < kRows; ++i) y(i) = x(i, 0) + x(i, 1) * x(i, 2) > 0 ? 1 : -1;
  expect_sums_give_figures(LogisticRegression(3), x, y, 1);
}

TEST(EvaluationOfParts, OfARegressionInTheTargetsUnit) {
  const Matrix x = random_matrix(kRows, 3, 1);
  const Vector y = x.col(0) + 0.5_r * random_matrix(kRows, 1, 2);
  expect_sums_give_figures(LinearRegression({.weights = {.inputs = 3}}), x, y, 12.5);
  expect_sums_give_figures(BnnRegression({.inputs = 3, .hidden = 4}), x, y, 12.5);
}

TEST(EvaluationOfParts, OfCounts) {
  const Matrix x = random_matrix(kRows, 3, 1);
  const Vector y = random_matrix(kRows, 1, 2).cwiseAbs().array().round();
  expect_sums_give_figures(PoissonRegression({.inputs = 3}), x, y, 1);
}

}  // namespace
}  // namespace fedstein
