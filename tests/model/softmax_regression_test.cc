// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/softmax_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Plain {
  DoubleVector log_likelihood;
  DoubleMatrix score;
  DoubleMatrix probabilities;
};

// Row by row, particle by particle and class by class, in double.
Plain by_loops(const Matrix& theta, const Rows& data, Index classes, bool intercept) {
  const Index p = data.x.cols();
  const Index width = p + (intercept ? 1 : 0);
  Plain out{DoubleVector::Zero(theta.rows()),
            DoubleMatrix::Zero(theta.rows(), theta.cols()),
            DoubleMatrix::Zero(data.x.rows(), classes)};
  for (Index n = 0; n < theta.rows(); ++n) {
    for (Index i = 0; i < data.x.rows(); ++i) {
      DoubleVector z = DoubleVector::Zero(classes);
      for (Index c = 0; c < classes; ++c) {
        for (Index k = 0; k < p; ++k) z(c) += double{theta(n, c * width + k)} * double{data.x(i, k)};
        if (intercept) z(c) += double{theta(n, c * width + p)};
      }
      const DoubleVector probabilities = z.array().exp() / z.array().exp().sum();
      const auto label = static_cast<Index>(data.y(i));
      out.log_likelihood(n) += std::log(probabilities(label));
      for (Index c = 0; c < classes; ++c) {
        const double pull = (c == label ? 1 : 0) - probabilities(c);
        for (Index k = 0; k < p; ++k) out.score(n, c * width + k) += pull * double{data.x(i, k)};
        if (intercept) out.score(n, c * width + p) += pull;
        out.probabilities(i, c) += probabilities(c) / static_cast<double>(theta.rows());
      }
    }
  }
  return out;
}

class SoftmaxRegressionShapes : public testing::TestWithParam<std::tuple<Index, Index, bool, Index, Index>> {};

TEST_P(SoftmaxRegressionShapes, EqualPlainLoops) {
  const auto [rows, particles, intercept, inputs, classes] = GetParam();
  const Rows data = class_rows(rows, inputs, classes, 1);
  const SoftmaxRegression model({.inputs = inputs, .classes = classes, .intercept = intercept});
  const Matrix theta = random_matrix(particles, model.dimension(), 2, 0, std::sqrt(2.0 / static_cast<double>(inputs)));
  const Plain expected = by_loops(theta, data, classes, intercept);
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), expected.log_likelihood));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch(), -0.5), -0.5 * expected.score));
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities, expected.probabilities));
  DoubleVector of_label(rows);
  for (Index i = 0; i < rows; ++i) of_label(i) = std::log(expected.probabilities(i, static_cast<Index>(data.y(i))));
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), of_label));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         SoftmaxRegressionShapes,
                         testing::Combine(testing::Values(1, 100, 5000),
                                          testing::Values(1, 6),
                                          testing::Bool(),
                                          testing::Values(1, 7, 20),
                                          testing::Values(2, 3, 12)));

// The log odds of any two classes have the prior of logistic regression's weights.
TEST(SoftmaxRegression, ThePriorIsLogisticRegressionsBetweenTwoClasses) {
  const SoftmaxRegression model({.inputs = 5, .classes = 3});
  Matrix particles(20000, model.dimension());
  Rng rng({.seed = 9, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const auto difference = (particles.leftCols(5) - particles.middleCols(6, 5)).cast<double>();
  EXPECT_NEAR(difference.array().square().mean(), LogisticRegression::kUsualVariance / 5, 0.1);
  EXPECT_NEAR(particles.col(5).cast<double>().array().square().mean(), 100, 3);
}

TEST(SoftmaxRegression, WithTwoClassesOfSignsIsLogisticRegression) {
  const Rows data = signed_rows(40, 4, 3);
  const SoftmaxRegression model({.inputs = 4, .classes = 2, .labels = Labels::kSigned});
  const LogisticRegression logistic(4, {.prior = LogisticRegression::Prior::kNormal, .intercept = true});
  const Matrix theta = random_matrix(3, 10, 5);
  const Matrix between = theta.rightCols(5) - theta.leftCols(5);
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), logistic.log_likelihood(between, data.batch())));
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities, logistic.predict(between, data.x).probabilities));
}

TEST(SoftmaxRegression, StaysFiniteForHugeScores) {
  const SoftmaxRegression model({.inputs = 2, .classes = 3});
  const Rows data = class_rows(6, 2, 3, 8);
  const Matrix theta = random_matrix(2, model.dimension(), 9, 0, 1e4);
  EXPECT_TRUE(model.log_likelihood(theta, data.batch()).allFinite());
  EXPECT_TRUE(likelihood_score(model, theta, data.batch()).allFinite());
}

TEST(SoftmaxRegression, RefusesWhatItCannotTake) {
  const SoftmaxRegression model({.inputs = 3, .classes = 3});
  Rows data = class_rows(5, 3, 3, 11);
  data.y(3) = 3;
  EXPECT_THROW_MESSAGE(model.check_data(data.batch()),
                       InvalidArgument,
                       "SoftmaxRegression: the label of row 3 is 3; it must be a whole number from 0 to 2");
  EXPECT_THROW_MESSAGE(SoftmaxRegression({.inputs = 3, .classes = 1}), InvalidArgument, "classes is 1");
  EXPECT_THROW_MESSAGE(SoftmaxRegression({.inputs = 0, .classes = 3}), InvalidArgument, "inputs is 0");
  EXPECT_THROW_MESSAGE(SoftmaxRegression({.inputs = 3, .classes = 3, .prior_deviation = -1}),
                       InvalidArgument,
                       "prior_deviation is -1; it must be a finite number, 0 or above");
}

}  // namespace
}  // namespace fedstein
