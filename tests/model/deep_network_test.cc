// SPDX-License-Identifier: Apache-2.0
// Networks of one to three hidden layers with every activation: against plain loops in double, and their scores,
// repulsion and curvature against differences and definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/gradient_check.h"
#include "model/model_data.h"
#include "support/allocation_counter.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Widths = std::vector<Index>;
using Numbers = std::vector<double>;

struct Shape {
  Widths hidden;
  Activation activation;
};

double unit(Activation activation, double z) {
  if (activation == Activation::kRelu) return std::max(z, 0.0);
  return activation == Activation::kTanh ? std::tanh(z) : std::log(1 + std::exp(z));
}

double slope(Activation activation, double z) {
  if (activation == Activation::kRelu) return z > 0 ? 1 : 0;
  return activation == Activation::kTanh ? 1 - std::tanh(z) * std::tanh(z) : 1 / (1 + std::exp(-z));
}

// One network, one row, in double, number by number.
class PlainDeepNetwork {
 public:
  PlainDeepNetwork(const Shape& shape, Index inputs, Index outputs) : activation_(shape.activation) {
    sizes_.push_back(inputs);
    sizes_.insert(sizes_.end(), shape.hidden.begin(), shape.hidden.end());
    sizes_.push_back(outputs);
  }

  // Values of all layers, the inputs first; and what goes into the units.
  void forward(const Numbers& theta, const Numbers& x) {
    values_ = {x};
    sums_ = {x};
    std::size_t at = 0;
    for (std::size_t l = 1; l < sizes_.size(); ++l) {
      const auto in = static_cast<std::size_t>(sizes_[l - 1]);
      const auto out = static_cast<std::size_t>(sizes_[l]);
      Numbers z(out);
      for (std::size_t j = 0; j < out; ++j) {
        z[j] = theta[at + in * out + j];
        for (std::size_t i = 0; i < in; ++i) z[j] += values_[l - 1][i] * theta[at + i * out + j];
      }
      sums_.push_back(z);
      if (l + 1 < sizes_.size()) {
        for (double& value : z) value = unit(activation_, value);
      }
      values_.push_back(z);
      at += (in + 1) * out;
    }
    size_ = at;
  }
  const Numbers& outputs() const { return values_.back(); }

  // gradient += that of pull . outputs, after forward().
  void backward(const Numbers& theta, Numbers pull, Numbers& gradient) const {
    std::size_t at = size_;
    for (std::size_t l = sizes_.size() - 1; l > 0; --l) {
      const auto in = static_cast<std::size_t>(sizes_[l - 1]);
      const auto out = static_cast<std::size_t>(sizes_[l]);
      at -= (in + 1) * out;
      Numbers below(in);
      for (std::size_t j = 0; j < out; ++j) {
        gradient[at + in * out + j] += pull[j];
        for (std::size_t i = 0; i < in; ++i) {
          gradient[at + i * out + j] += pull[j] * values_[l - 1][i];
          below[i] += pull[j] * theta[at + i * out + j];
        }
      }
      for (std::size_t i = 0; i < in && l > 1; ++i) below[i] *= slope(activation_, sums_[l - 1][i]);
      pull = below;
    }
  }

 private:
  Activation activation_;
  Widths sizes_;
  std::vector<Numbers> values_;
  std::vector<Numbers> sums_;
  std::size_t size_ = 0;
};

Numbers numbers(const Matrix& from, Index row) {
  return {from.row(row).data(), from.row(row).data() + from.cols()};
}

class DeepNetworks : public testing::TestWithParam<Shape> {
 protected:
  static constexpr Index kInputs = 4;
  static constexpr Index kClasses = 3;
  static BnnClassification classifier() {
    return BnnClassification(
        {.inputs = kInputs, .hidden = GetParam().hidden, .activation = GetParam().activation, .classes = kClasses});
  }
  static BnnRegression regression(double precision = std::numbers::e) {
    return BnnRegression({.inputs = kInputs,
                          .hidden = GetParam().hidden,
                          .activation = GetParam().activation,
                          .prior_precision = precision});
  }
  static bool has_kinks() { return GetParam().activation == Activation::kRelu; }
};

TEST_P(DeepNetworks, ClassesEqualPlainLoops) {
  const BnnClassification model = classifier();
  const Rows data = class_rows(530, kInputs, kClasses, 1);  // more than one block of rows
  const Matrix theta = random_matrix(3, model.dimension(), 2, 0, 0.6);
  PlainDeepNetwork net(GetParam(), kInputs, kClasses);
  for (Index n = 0; n < theta.rows(); ++n) {
    const Numbers weights = numbers(theta, n);
    Numbers score(weights.size());
    double log_likelihood = 0;
    DoubleMatrix probabilities(data.x.rows(), kClasses);
    for (Index i = 0; i < data.x.rows(); ++i) {
      net.forward(weights, numbers(data.x, i));
      Numbers p = net.outputs();
      double sum = 0;
      for (double& value : p) sum += value = std::exp(value);
      for (Index c = 0; c < kClasses; ++c) probabilities(i, c) = p[static_cast<std::size_t>(c)] /= sum;
      const auto label = static_cast<std::size_t>(data.y(i));
      log_likelihood += std::log(p[label]);
      for (double& value : p) value = -value;
      p[label] += 1;
      net.backward(weights, p, score);
    }
    const Matrix one = theta.row(n);
    EXPECT_TRUE(close(model.log_likelihood(one, data.batch())(0), log_likelihood));
    const Eigen::Map<const DoubleMatrix> wanted(score.data(), 1, model.dimension());
    EXPECT_TRUE(close(likelihood_score(model, one, data.batch()), wanted));
    EXPECT_TRUE(close(model.predict(one, data.x).probabilities, probabilities));
  }
}

TEST_P(DeepNetworks, TargetsEqualPlainLoops) {
  const BnnRegression model = regression();
  const Rows data = target_rows(60, kInputs, 3);
  const Matrix theta = random_matrix(2, model.dimension(), 4, 0, 0.6);
  PlainDeepNetwork net(GetParam(), kInputs, 1);
  for (Index n = 0; n < theta.rows(); ++n) {
    const Numbers weights = numbers(theta, n);
    const double precision = std::exp(weights.back());
    Numbers score(weights.size());
    for (Index i = 0; i < data.x.rows(); ++i) {
      net.forward(weights, numbers(data.x, i));
      const double residual = double{data.y(i)} - net.outputs().front();
      score.back() += 0.5 - precision * residual * residual / 2;
      net.backward(weights, {precision * residual}, score);
    }
    const Eigen::Map<const DoubleMatrix> wanted(score.data(), 1, model.dimension());
    EXPECT_TRUE(close(likelihood_score(model, theta.row(n), data.batch()), wanted));
  }
}

// Rectified units have kinks, which a difference quotient must not straddle; the plain loops above cover them.
TEST_P(DeepNetworks, ScoresAreGradients) {
  const auto expect_exact = [](const Model& model, const Batch& batch) {
    const Matrix points = random_matrix(4, model.dimension(), 77, 0, 0.7);
    const auto prior = [&](const ConstMatrixRef& theta) { return model.prior_log_density(theta); };
    const GradientReport of_prior = check_gradient(prior, PriorScore(model), points);
    EXPECT_TRUE(of_prior) << of_prior.message;
    if (has_kinks()) return;
    const auto likelihood = [&](const ConstMatrixRef& theta) { return model.log_likelihood(theta, batch); };
    const GradientReport of_likelihood = check_gradient(likelihood, FullLikelihood(model, batch), points);
    EXPECT_TRUE(of_likelihood) << of_likelihood.message;
  };
  expect_exact(classifier(), class_rows(11, kInputs, kClasses, 2).batch());
  expect_exact(regression(), target_rows(11, kInputs, 3).batch());
  expect_exact(regression(0), target_rows(11, kInputs, 3).batch());
}

// The pull back from answers: by the same layers, so that it agrees with the score where that is such a pull too.
TEST_P(DeepNetworks, PullsAreGradientsOfAnswers) {
  const auto expect_exact = [](const Model& model, Index seed) {
    const Answers& answers = *model.answers();
    const Matrix x = random_matrix(9, kInputs, 5);
    const Matrix pull = random_matrix(answers.numbers(), x.rows(), 6);
    const RowVector theta = random_matrix(1, model.dimension(), static_cast<std::uint64_t>(seed), 0, 0.7).row(0);
    RowVector gradient = RowVector::Zero(theta.size());
    answers.add_pull(theta, x, pull, gradient);
    const auto value = [&](const RowVector& at) {
      Matrix out(answers.numbers(), x.rows());
      answers.answer(at, x, out);
      return out.cast<double>().cwiseProduct(pull.cast<double>()).sum();
    };
    constexpr double kStep = sizeof(Real) == 8 ? 1e-5 : 4e-3;
    double wrong = 0;
    for (Index j = 0; j < theta.size(); ++j) {
      RowVector above = theta;
      RowVector below = theta;
      above(j) += static_cast<Real>(kStep);
      below(j) -= static_cast<Real>(kStep);
      const double quotient = (value(above) - value(below)) / (double{above(j)} - double{below(j)});
      wrong = std::max(wrong, std::abs(quotient - double{gradient(j)}));
    }
    EXPECT_LT(wrong, 0.01 * double{gradient.cwiseAbs().maxCoeff()});
  };
  if (has_kinks()) {  // as the score of targets with unit noise is the pull of the residuals
    const BnnRegression model = regression();
    const Rows data = target_rows(20, kInputs, 8);
    Matrix theta = random_matrix(1, model.dimension(), 9, 0, 0.7);
    theta(0, model.dimension() - 1) = 0;
    Matrix residuals(1, data.x.rows());
    model.answers()->answer(theta.row(0), data.x, residuals);
    residuals = data.y.transpose() - residuals;
    RowVector pulled = RowVector::Zero(theta.cols());
    model.answers()->add_pull(theta.row(0), data.x, residuals, pulled);
    Matrix score = likelihood_score(model, theta, data.batch());
    score(0, model.dimension() - 1) = 0;
    EXPECT_TRUE(close(Matrix(pulled), score));
  } else {
    expect_exact(classifier(), 10);
    expect_exact(regression(), 11);
  }
}

// For classes: the mean square of a row's score over the labels that the model itself expects.
TEST_P(DeepNetworks, GaussNewtonIsFishersDiagonal) {
  const BnnClassification model = classifier();
  const Rows data = class_rows(40, kInputs, kClasses, 12);
  const Matrix theta = random_matrix(2, model.dimension(), 13, 0, 0.7);
  Matrix found = Matrix::Zero(theta.rows(), theta.cols());
  model.gauss_newton()->add_gauss_newton(theta, data.batch(), 0.5, found);
  Matrix wanted = Matrix::Zero(theta.rows(), theta.cols());
  for (Index n = 0; n < theta.rows(); ++n) {
    const Matrix one = theta.row(n);
    const Matrix p = model.predict(one, data.x).probabilities;
    for (Index i = 0; i < data.x.rows(); ++i) {
      for (Index c = 0; c < kClasses; ++c) {
        const Matrix row = data.x.row(i);
        const Vector label = Vector::Constant(1, static_cast<Real>(c));
        wanted.row(n) += 0.5_r * p(i, c) * likelihood_score(model, one, {row, label}).cwiseAbs2();
      }
    }
  }
  EXPECT_TRUE(close(found, wanted, kValueTolerance));
}

// For targets: the noise's precision times the squares of each row's pull of 1.
TEST_P(DeepNetworks, GaussNewtonOfTargetsIsTheSquaredDerivative) {
  const BnnRegression model = regression();
  const Rows data = target_rows(40, kInputs, 14);
  const Matrix theta = random_matrix(1, model.dimension(), 15, 0, 0.7);
  Matrix found = Matrix::Zero(1, theta.cols());
  model.gauss_newton()->add_gauss_newton(theta, data.batch(), 2, found);
  Matrix wanted = Matrix::Zero(1, theta.cols());
  const Real gamma = std::exp(theta(0, theta.cols() - 1));
  for (Index i = 0; i < data.x.rows(); ++i) {
    RowVector derivative = RowVector::Zero(theta.cols());
    model.answers()->add_pull(theta.row(0), data.x.row(i), Matrix::Ones(1, 1), derivative);
    wanted.row(0) += 2 * gamma * derivative.cwiseAbs2();
  }
  wanted(0, theta.cols() - 1) = 2 * 0.5_r * static_cast<Real>(data.x.rows());
  EXPECT_TRUE(close(found, wanted, kValueTolerance));
}

TEST_P(DeepNetworks, ScoresDoNotDependOnThreadsAndAllocateNothing) {
  const BnnClassification model = classifier();
  const Rows data = class_rows(5000, kInputs, kClasses, 16);  // slices of rows
  const Matrix theta = random_matrix(2, model.dimension(), 17, 0, 0.5);
  const Matrix threaded = likelihood_score(model, theta, data.batch());
  const ThreadLimit one(1);
  EXPECT_TRUE(identical(likelihood_score(model, theta, data.batch()), threaded));
  if (!can_count_allocations()) return;
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  model.add_likelihood_score(theta, data.batch(), 1, grad);
  const long before = allocations_so_far();
  model.add_likelihood_score(theta, data.batch(), 1, grad);
  EXPECT_EQ(allocations_so_far(), before);
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> out;
  for (const Activation activation : {Activation::kRelu, Activation::kTanh, Activation::kSoftplus}) {
    for (const Widths& hidden : {Widths{5}, Widths{6, 3}, Widths{4, 7, 5}}) out.push_back({hidden, activation});
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Shapes, DeepNetworks, testing::ValuesIn(all_shapes()));

// Wide layers take the blocked products, whose packing buffers must come from scratch as well.
TEST(DeepNetwork, WideLayersAllocateNothing) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  const ThreadLimit one(1);
  const Rows data = class_rows(100, 196, 10, 5);
  const BnnClassification model({.inputs = 196, .hidden = {100, 80, 60}, .classes = 10});
  const Matrix theta = random_matrix(3, model.dimension(), 6, 0, 0.03);
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  model.add_likelihood_score(theta, data.batch(), 1, grad);
  const long before = allocations_so_far();
  model.add_likelihood_score(theta, data.batch(), 1, grad);
  EXPECT_EQ(allocations_so_far(), before);
}

TEST(DeepNetwork, StartsLayerByLayer) {
  const BnnClassification model({.inputs = 3, .hidden = {200, 100}, .classes = 2});
  Matrix particles(10, model.dimension());
  Rng rng({.seed = 5, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const auto variance = [&](Index begin, Index count) {
    return particles.middleCols(begin, count).cast<double>().array().square().mean();
  };
  EXPECT_NEAR(variance(0, 600), 1.0 / 4, 0.02);
  EXPECT_EQ(variance(600, 200), 0);
  EXPECT_NEAR(variance(800, 20000), 1.0 / 201, 0.0002);
  EXPECT_EQ(variance(20800, 100), 0);
  EXPECT_NEAR(variance(20900, 200), 1.0 / 101, 0.001);
  EXPECT_EQ(variance(21100, 2), 0);
}

TEST(DeepNetwork, ExtremeInputsStayFinite) {
  for (const Activation activation : {Activation::kTanh, Activation::kSoftplus}) {
    const BnnClassification model({.inputs = 1, .hidden = {2, 2}, .activation = activation, .classes = 2});
    const Matrix theta = random_matrix(3, model.dimension(), 6, 0, 30);
    const Rows data{Matrix::Constant(2, 1, 1000), (Vector(2) << 0, 1).finished()};
    EXPECT_TRUE(likelihood_score(model, theta, data.batch()).allFinite());
    EXPECT_TRUE(model.log_likelihood(theta, data.batch()).allFinite());
  }
}

TEST(DeepNetwork, RefusesWhatIsNoNetwork) {
  const auto make = [](const HiddenLayers& hidden) {
    BnnClassification({.inputs = 2, .hidden = hidden, .classes = 3});
  };
  EXPECT_THROW_MESSAGE(make(Widths{}), InvalidArgument, "the network has 0 hidden layers; it must have 1 to 16");
  EXPECT_THROW_MESSAGE(make(Widths(17, 4)), InvalidArgument, "the network has 17 hidden layers; it must have 1 to 16");
  EXPECT_THROW_MESSAGE(make({4, 0}), InvalidArgument, "[4, 0] hidden units");
  EXPECT_THROW_MESSAGE(make({1000000, 1000000}), InvalidArgument, "parameters and more; at most");
  EXPECT_NO_THROW(make(Widths(16, 4)));
}

}  // namespace
}  // namespace fedstein
