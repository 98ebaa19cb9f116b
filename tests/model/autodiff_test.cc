// SPDX-License-Identifier: Apache-2.0
// AutoDiffModel: every operation against differences, whole models against those written by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/autodiff_model.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/gradient_check.h"
#include "model/model_data.h"
#include "support/allocation_counter.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using autodiff::Features;
using autodiff::Parameters;
using autodiff::Slice;
using autodiff::Var;

struct Operation {
  const char* name;
  Var (*of)(const Var& row, const Var& parameter);  // both about 1 to 2, one of them for each row, one for all
  double (*plain)(double row, double parameter);
};

class Operations : public testing::TestWithParam<Operation> {};

// Rows' values 0.8 to 2.2 that depend on two parameters, a third parameter of exp(theta_2) >= 0.6.
AutoDiffModel model_of(Var (*of)(const Var&, const Var&)) {
  AutoDiffParts parts{.dimension = 3, .inputs = 2};
  parts.log_likelihood = [of](const Parameters& theta, const Features& x, const Var& y) {
    return of(0.5 * tanh(theta.segment(0, 2).dot(x)) + 1.5, exp(0.5 * theta[2])) * y;
  };
  return AutoDiffModel(parts);
}

TEST_P(Operations, AreWhatTheySayAndHaveTheirDerivatives) {
  const AutoDiffModel model = model_of(GetParam().of);
  const Rows data = target_rows(300, 2, 1);  // more than a block
  const Matrix theta = random_matrix(3, 3, 2, 0, 0.5);
  const Rows some{data.x.topRows(5), data.y.head(5)};
  for (Index n = 0; n < theta.rows(); ++n) {
    double wanted = 0;
    for (Index i = 0; i < 5; ++i) {
      const double z = (theta.row(n).head(2).cast<double>() * some.x.row(i).transpose().cast<double>())(0);
      const double value = GetParam().plain(0.5 * std::tanh(z) + 1.5, std::exp(0.5 * double{theta(n, 2)}));
      wanted += value * double{some.y(i)};
    }
    const Matrix one = theta.row(n);
    EXPECT_NEAR(model.log_likelihood(one, some.batch())(0), wanted, 1e-4 * (1 + std::abs(wanted)));
  }
  for (const Rows& rows : {some, Rows{data.x.topRows(1), data.y.head(1)}, data}) {
    const auto value = [&](const ConstMatrixRef& at) { return model.log_likelihood(at, rows.batch()); };
    const GradientReport report = check_gradient(value, FullLikelihood(model, rows.batch()), theta);
    EXPECT_TRUE(report) << rows.x.rows() << " rows: " << report.message;
  }
}

const Operation kOperations[] = {
    {"Add", [](const Var& a, const Var& b) { return a + b; }, [](double a, double b) { return a + b; }},
    {"Subtract", [](const Var& a, const Var& b) { return b - a; }, [](double a, double b) { return b - a; }},
    {"Multiply", [](const Var& a, const Var& b) { return a * b * a; }, [](double a, double b) { return a * b * a; }},
    {"Divide", [](const Var& a, const Var& b) { return a / b; }, [](double a, double b) { return a / b; }},
    {"DivideByRows", [](const Var& a, const Var& b) { return b / a; }, [](double a, double b) { return b / a; }},
    {"Constants",
     [](const Var& a, const Var& b) { return (3 - a) * 2 + 1 / b - 0.5 + (-a) / 4; },
     [](double a, double b) { return (3 - a) * 2 + 1 / b - 0.5 - a / 4; }},
    {"InPlace",
     [](const Var& a, const Var& b) {
       Var out = a;
       out += b;
       out *= a;
       out -= b;
       return out /= a + b;
     },
     [](double a, double b) { return ((a + b) * a - b) / (a + b); }},
    {"Exp", [](const Var& a, const Var& b) { return exp(a * b); }, [](double a, double b) { return std::exp(a * b); }},
    {"Log", [](const Var& a, const Var& b) { return log(a * b); }, [](double a, double b) { return std::log(a * b); }},
    {"Log1p", [](const Var& a, const Var&) { return log1p(a); }, [](double a, double) { return std::log1p(a); }},
    {"Sqrt", [](const Var& a, const Var&) { return sqrt(a); }, [](double a, double) { return std::sqrt(a); }},
    {"Square", [](const Var& a, const Var&) { return square(a); }, [](double a, double) { return a * a; }},
    {"Tanh", [](const Var& a, const Var&) { return tanh(a); }, [](double a, double) { return std::tanh(a); }},
    {"Sin", [](const Var& a, const Var&) { return sin(a); }, [](double a, double) { return std::sin(a); }},
    {"Cos", [](const Var& a, const Var&) { return cos(a); }, [](double a, double) { return std::cos(a); }},
    {"Log1pExp",
     [](const Var& a, const Var& b) { return log1p_exp(3 * (a - b)); },
     [](double a, double b) { return std::log1p(std::exp(3 * (a - b))); }},
    {"Logistic",
     [](const Var& a, const Var& b) { return logistic(a - b); },
     [](double a, double b) { return 1 / (1 + std::exp(b - a)); }},
    {"LogGamma",
     [](const Var& a, const Var& b) { return lgamma(a) + lgamma(7 * b); },
     [](double a, double b) { return std::lgamma(a) + std::lgamma(7 * b); }},
    {"PowerOf",
     [](const Var& a, const Var&) { return pow(a, 2.5); },
     [](double a, double) { return std::pow(a, 2.5); }},
    {"Power", [](const Var& a, const Var& b) { return pow(a, b); }, [](double a, double b) { return std::pow(a, b); }},
    {"PowerOfOne",
     [](const Var& a, const Var& b) { return pow(b, a); },
     [](double a, double b) { return std::pow(b, a); }},
    {"Max",
     [](const Var& a, const Var&) { return max(a - 5, -1) + max(a, 0); },
     [](double a, double) { return a - 1; }},
};
INSTANTIATE_TEST_SUITE_P(Every, Operations, testing::ValuesIn(kOperations), [](const auto& test) {
  return std::string(test.param.name);
});

// theta = w; labels -1 and 1.
AutoDiffModel logistic_regression(Index features) {
  AutoDiffParts parts{.dimension = features, .inputs = features, .prior_deviation = 0.7};
  parts.log_likelihood = [](const Parameters& w, const Features& x, const Var& y) {
    return -log1p_exp(-y * w.all().dot(x));
  };
  parts.probability = [](const Parameters& w, const Features& x) { return logistic(w.all().dot(x)); };
  return AutoDiffModel(parts);
}

TEST(AutoDiffModel, LogisticRegressionEqualsTheOneWrittenByHand) {
  const Rows data = signed_rows(1100, 7, 3);
  const AutoDiffModel model = logistic_regression(7);
  const LogisticRegression hand(7, {.prior = LogisticRegression::Prior::kNormal, .prior_deviation = 0.7});
  ASSERT_EQ(hand.dimension(), model.dimension());
  const Matrix theta = random_matrix(5, 7, 4);
  model.check_data(data.batch());
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), hand.log_likelihood(theta, data.batch())));
  EXPECT_TRUE(
      close(likelihood_score(model, theta, data.batch(), 0.3), likelihood_score(hand, theta, data.batch(), 0.3)));
  EXPECT_TRUE(close(model.prior_log_density(theta), hand.prior_log_density(theta)));
  EXPECT_TRUE(close(prior_score(model, theta, 2), prior_score(hand, theta, 2)));
  const Predictive& predictive = *model.predictive();
  const Prediction found = predictive.predict(theta, data.x);
  const Prediction wanted = hand.predict(theta, data.x);
  EXPECT_TRUE(close(found.probabilities, wanted.probabilities));
  EXPECT_TRUE(close(found.mean_entropy, wanted.mean_entropy));
  EXPECT_TRUE(close(predictive.log_predictive(theta, data.batch()), hand.log_predictive(theta, data.batch())));
  EXPECT_EQ(predictive.label_of(0), -1);
  EXPECT_EQ(predictive.label_of(1), 1);
}

// Negative binomial counts with a prior of its own on the dispersion, as nobody here has written by hand.
AutoDiffModel counts() {
  AutoDiffParts parts{.dimension = 5, .inputs = 3};
  parts.log_likelihood = [](const Parameters& theta, const Features& x, const Var& y) {
    const Var r = exp(theta[4]);
    const Var mean = exp(theta.segment(0, 3).dot(x) + theta[3]);
    return lgamma(y + r) - lgamma(r) - lgamma(y + 1) + r * log(r / (r + mean)) + y * log(mean / (r + mean));
  };
  parts.log_prior = [](const Parameters& theta) {
    return -0.5 * theta.segment(0, 4).squared_norm() + theta[4] - exp(theta[4]) + 0 * theta.all().sum();
  };
  parts.mean = [](const Parameters& theta, const Features& x) { return exp(theta.segment(0, 3).dot(x) + theta[3]); };
  return AutoDiffModel(parts);
}

TEST(AutoDiffModel, GradientsOfCountsAndTheirPriorAreExact) {
  Rows data = target_rows(40, 3, 5);
  for (Real& y : data.y) y = std::floor(std::abs(4 * y));
  const AutoDiffModel model = counts();
  const Matrix theta = random_matrix(4, 5, 6, 0, 0.4);
  const auto prior = [&](const ConstMatrixRef& at) { return model.prior_log_density(at); };
  const GradientReport of_prior = check_gradient(prior, PriorScore(model), theta);
  EXPECT_TRUE(of_prior) << of_prior.message;
  const auto likelihood = [&](const ConstMatrixRef& at) { return model.log_likelihood(at, data.batch()); };
  const GradientReport of_likelihood = check_gradient(likelihood, FullLikelihood(model, data.batch()), theta);
  EXPECT_TRUE(of_likelihood) << of_likelihood.message;
  const Prediction found = model.predictive()->predict(theta, data.x);
  double mean = 0;
  for (Index n = 0; n < 4; ++n) mean += std::exp(double{theta.row(n).head(3).dot(data.x.row(7)) + theta(n, 3)}) / 4;
  EXPECT_NEAR(found.mean(7), mean, 1e-4 * mean);
  EXPECT_GT(found.epistemic_variance(7), 0);
}

// One column's dot product, several slices, single inputs: a network of two units written out.
TEST(AutoDiffModel, EqualsANetworkWrittenByHand) {
  AutoDiffParts parts{.dimension = 12, .inputs = 3};
  parts.log_likelihood = [](const Parameters& theta, const Features& x, const Var& y) {
    // BnnRegression's layout: W1 (inputs x hidden), b1, W2, b2, log gamma.
    Var out = theta[10];
    for (Index h = 0; h < 2; ++h) {
      Var z = theta[6 + h];
      for (Index k = 0; k < 3; ++k) z += theta[2 * k + h] * x[k];
      out += theta[8 + h] * tanh(z);
    }
    return 0.5 * (theta[11] - std::log(2 * std::numbers::pi)) - 0.5 * exp(theta[11]) * square(y - out);
  };
  const AutoDiffModel model(parts);
  const BnnRegression hand({.inputs = 3, .hidden = 2, .activation = Activation::kTanh});
  const Rows data = target_rows(300, 3, 7);
  const Matrix theta = random_matrix(3, 12, 8, 0, 0.5);
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), hand.log_likelihood(theta, data.batch())));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), likelihood_score(hand, theta, data.batch())));
}

TEST(AutoDiffModel, DoesNotDependOnThreadsAndAllocatesNothing) {
  const AutoDiffModel model = logistic_regression(20);
  for (const auto& [rows, particles] : {std::pair<Index, Index>{100, 20}, {9000, 2}}) {
    const Rows data = signed_rows(rows, 20, 9);
    const Matrix theta = random_matrix(particles, 20, 10);
    const Matrix threaded = likelihood_score(model, theta, data.batch());
    const ThreadLimit one(1);
    EXPECT_TRUE(identical(likelihood_score(model, theta, data.batch()), threaded));
    if (!can_count_allocations()) continue;
    Matrix grad = Matrix::Zero(particles, 20);
    model.add_likelihood_score(theta, data.batch(), 1, grad);
    const long before = allocations_so_far();
    model.add_likelihood_score(theta, data.batch(), 1, grad);
    EXPECT_EQ(allocations_so_far(), before);
  }
}

TEST(AutoDiffModel, AnExceptionOfTheUsersPassesAndHarmsNothing) {
  bool fail = false;
  AutoDiffParts parts{.dimension = 2, .inputs = 2};
  parts.log_likelihood = [&fail](const Parameters& w, const Features& x, const Var& y) {
    const Var z = y * w.all().dot(x);
    if (fail) throw std::runtime_error("the user's own");
    return -log1p_exp(-z);
  };
  const AutoDiffModel model(parts);
  const Rows data = signed_rows(50, 2, 11);
  const Matrix theta = random_matrix(3, 2, 12);
  const Matrix before = likelihood_score(model, theta, data.batch());
  fail = true;
  EXPECT_THROW_MESSAGE(likelihood_score(model, theta, data.batch()), std::runtime_error, "the user's own");
  EXPECT_THROW_MESSAGE(model.log_likelihood(theta, data.batch()), std::runtime_error, "the user's own");
  fail = false;
  EXPECT_TRUE(identical(likelihood_score(model, theta, data.batch()), before));
}

TEST(AutoDiffModel, ConstantsHaveNoGradientAndCountForEachRow) {
  AutoDiffParts parts{.dimension = 1, .inputs = 1};
  parts.log_likelihood = [](const Parameters& theta, const Features&, const Var&) { return 3 * theta[0]; };
  const Rows data = signed_rows(300, 1, 13);
  const Matrix theta = Matrix::Constant(1, 1, 2);
  EXPECT_TRUE(close(AutoDiffModel(parts).log_likelihood(theta, data.batch())(0), 1800.0));
  EXPECT_TRUE(close(likelihood_score(AutoDiffModel(parts), theta, data.batch()), Matrix::Constant(1, 1, 900)));
  parts.log_likelihood = [](const Parameters&, const Features& x, const Var& y) { return x[0] * y; };
  EXPECT_TRUE(likelihood_score(AutoDiffModel(parts), theta, data.batch()).isZero(0));
}

TEST(AutoDiffModel, RefusesWhatItCannotTake) {
  const Rows data = signed_rows(5, 2, 14);
  const Matrix theta = random_matrix(1, 2, 15);
  const auto refused = [&](auto likelihood, const char* part) {
    AutoDiffParts parts{.dimension = 2, .inputs = 2};
    parts.log_likelihood = likelihood;
    EXPECT_THROW_MESSAGE(AutoDiffModel(parts).log_likelihood(theta, data.batch()), InvalidArgument, part);
  };
  refused([](const Parameters& t, const Features&, const Var&) { return t[2]; }, "1 from number 2 on; there are 2 par");
  refused([](const Parameters&, const Features& x, const Var&) { return x[-1]; }, "there are 2 inputs");
  refused([](const Parameters& t, const Features&, const Var&) { return t.segment(1, 2).sum(); }, "2 from number 1 on");
  refused([](const Parameters& t, const Features& x, const Var&) { return t.segment(0, 1).dot(x); },
          "1 parameters times 2 inputs");
  refused([](const Parameters& t, const Features&, const Var&) { return t[0] + Var(); }, "it is of no computation");
  refused([](const Parameters&, const Features&, const Var&) { return Var(); },
          "it is of a computation that has ended");
  Var kept;
  AutoDiffParts keeper{.dimension = 2, .inputs = 2};
  keeper.log_likelihood = [&kept](const Parameters& t, const Features&, const Var& y) { return kept = t[0] * y; };
  AutoDiffModel(keeper).log_likelihood(theta, data.batch());
  refused([&](const Parameters& t, const Features&, const Var&) { return t[0] + kept; },
          "a computation that has ended");
  EXPECT_THROW_MESSAGE(AutoDiffModel({.dimension = 2, .inputs = 2}), InvalidArgument, "log_likelihood is empty");
  AutoDiffParts nothing = keeper;
  nothing.dimension = 0;
  EXPECT_THROW_MESSAGE(AutoDiffModel{nothing}, InvalidArgument, "dimension is 0");
}

}  // namespace
}  // namespace fedstein
