// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/posterior_covariance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/model/logistic_regression.h"
#include "model/model_data.h"

namespace fedstein {
namespace {

using Prior = LogisticRegression::Prior;

// As a model that hands out no Information.
class ScoresOnly : public LogisticRegression {
 public:
  using LogisticRegression::LogisticRegression;
  const fedstein::Information* information() const override { return nullptr; }
};

// Labels that follow weights 1, -0.5, 0.25, ... with a constant of 0.5.
Rows logistic_rows(Index count, Index columns, std::uint64_t seed) {
  Rows rows{random_matrix(count, columns, seed), Vector(count)};
  Rng rng({.seed = seed + 1, .purpose = Purpose::kTest});
  for (Index i = 0; i < count; ++i) {
    double logit = 0.5;
    for (Index k = 0; k < columns; ++k) logit += std::pow(-0.5, k) * static_cast<double>(rows.x(i, k));
    rows.y(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1.0_r : -1.0_r;
  }
  return rows;
}

class BothPriors : public testing::TestWithParam<Prior> {};
INSTANTIATE_TEST_SUITE_P(Priors, BothPriors, testing::Values(Prior::kNormal, Prior::kGamma));

TEST_P(BothPriors, DifferencesOfScoresFindTheExactCurvature) {
  const Rows rows = logistic_rows(3000, 4, 3);
  const LogisticRegression::Options options{.prior = GetParam(), .intercept = true};
  const LogisticRegression exact(4, options);
  const ScoresOnly scores(4, options);
  const Matrix theta = 0.3 * random_matrix(1, exact.dimension(), 9);
  for (const double temperature : {1.0, 2.5}) {
    const DoubleMatrix a = posterior_information(exact, theta.row(0), rows.batch(), temperature);
    const DoubleMatrix b = posterior_information(scores, theta.row(0), rows.batch(), temperature);
    const DoubleVector sizes = a.diagonal().cwiseSqrt();
    const DoubleMatrix off = (a - b).array() / (sizes * sizes.transpose()).array();
    EXPECT_LT(off.cwiseAbs().maxCoeff(), 0.01) << "temperature " << temperature;
  }
}

// The posterior itself, in double: Newton's mode, and draws of a wider Gaussian weighted by what they should have been.
class DensePosterior {
 public:
  DensePosterior(const Rows& rows, double deviation) : x_(rows.x.rows(), rows.x.cols() + 1), y_(rows.y.cast<double>()) {
    x_.leftCols(rows.x.cols()) = rows.x.cast<double>();
    x_.col(rows.x.cols()).setOnes();
    precision_ = DoubleVector::Constant(x_.cols(), 1 / (deviation * deviation));
    precision_(rows.x.cols()) = 0.01;  // an intercept's N(0, 10^2)
  }

  double log_density(const DoubleVector& w) const {
    const Eigen::ArrayXd margins = y_.array() * (x_ * w).array();
    return -margins.unaryExpr([](double m) { return m > 0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m; })
                .sum() -
           (precision_.array() * w.array().square()).sum() / 2;
  }
  Eigen::MatrixXd information(const DoubleVector& w) const {
    const Eigen::ArrayXd p = 1 / (1 + (-(x_ * w).array()).exp());
    Eigen::MatrixXd out = x_.transpose() * (p * (1 - p)).matrix().asDiagonal() * x_;
    out.diagonal() += precision_;
    return out;
  }
  DoubleVector mode() const {
    DoubleVector w = DoubleVector::Zero(x_.cols());
    for (int step = 0; step < 50; ++step) {
      const Eigen::ArrayXd pull = y_.array() / (1 + (y_.array() * (x_ * w).array()).exp());
      const DoubleVector slope = x_.transpose() * pull.matrix() - (precision_.array() * w.array()).matrix();
      w += information(w).ldlt().solve(slope);
    }
    return w;
  }

 private:
  Eigen::MatrixXd x_;
  DoubleVector y_;
  DoubleVector precision_;
};

TEST(PosteriorCovariance, HasTheDeviationsOfTheWholePosterior) {
  const Index columns = 3;
  const Rows rows = logistic_rows(250, columns, 17);
  const LogisticRegression model(columns, {.prior = Prior::kNormal, .prior_deviation = 2, .intercept = true});
  const DensePosterior dense(rows, 2);
  const DoubleVector mode = dense.mode();
  const Eigen::MatrixXd wide = dense.information(mode).inverse() * 1.5;
  const Eigen::MatrixXd root = wide.llt().matrixL();
  const int draws = 40000;
  const Matrix noise = random_matrix(draws, columns + 1, 5);
  double total = 0;
  DoubleVector sum = DoubleVector::Zero(columns + 1);
  DoubleVector squares = sum;
  const double top = dense.log_density(mode);
  for (int i = 0; i < draws; ++i) {
    const DoubleVector z = noise.row(i).transpose().cast<double>();
    const DoubleVector w = mode + root * z;
    const double weight = std::exp(dense.log_density(w) - top + z.squaredNorm() / 2);
    total += weight;
    sum += weight * w;
    squares += weight * (w - mode).cwiseAbs2();
  }
  const DoubleVector mean = sum / total;
  const DoubleVector deviation = (squares / total - (mean - mode).cwiseAbs2()).cwiseSqrt();
  // As a run does it: at the mean that its particles have.
  const RowVector theta = mean.transpose().cast<Real>();
  const auto covariance = posterior_covariance(model, theta, rows.batch());
  ASSERT_TRUE(covariance.has_value());
  EXPECT_TRUE(is_covariance(*covariance));
  for (Index k = 0; k <= columns; ++k) {
    EXPECT_NEAR(std::sqrt((*covariance)(k, k)) / deviation(k), 1, 0.1) << "parameter " << k;
  }
}

TEST(PosteriorCovariance, AValleyHasNone) {
  // Far from its mode the gamma prior's log precision is no hill beside weights that are large.
  const Rows rows = signed_rows(5, 2, 4);
  const LogisticRegression model(2, {.prior = Prior::kGamma});
  RowVector theta(3);
  theta << 300, -300, 8;
  EXPECT_FALSE(posterior_covariance(model, theta, rows.batch()).has_value());
}

TEST(PosteriorCovariance, KnowsACovarianceWhenItSeesOne) {
  DoubleMatrix matrix(2, 2);
  matrix << 4, 1, 1, 2;
  EXPECT_TRUE(is_covariance(matrix));
  DoubleMatrix skewed = matrix;
  skewed(0, 1) = 1.5;
  EXPECT_FALSE(is_covariance(skewed));
  DoubleMatrix impossible = matrix;
  impossible(0, 1) = impossible(1, 0) = 3;
  EXPECT_FALSE(is_covariance(impossible));
  matrix(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_covariance(matrix));
}

}  // namespace
}  // namespace fedstein
