// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/logistic_prior.h"

#include <cmath>
#include <numbers>

#include "fedstein/model/checks.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "LogisticRegression";

// w | xi ~ N(0, 1/xi), xi ~ Gamma(a, scale b), and log xi behind the weights.
class GammaPrior : public LogisticPrior {
 public:
  GammaPrior(Index weights, double shape, double scale) : weights_(weights), shape_(shape), scale_(scale) {
    check_positive(kWho, "prior_shape", shape);
    check_positive(kWho, "prior_scale", scale);
  }

  Index own_parameters() const override { return 1; }

  void draw(Rng& rng, MatrixRef particles) const override {
    for (Index n = 0; n < particles.rows(); ++n) {
      const double precision = rng.gamma(shape_, scale_);
      rng.fill_normal(particles.row(n).head(weights_), 0, 1 / std::sqrt(precision));
      particles(n, weights_) = static_cast<Real>(std::log(precision));
    }
  }

  DoubleVector log_density(const ConstMatrixRef& theta) const override {
    const auto count = static_cast<double>(weights_);
    const double constant =
        -count / 2 * std::log(2 * std::numbers::pi) - shape_ * std::log(scale_) - std::lgamma(shape_);
    DoubleVector result(theta.rows());
    for (Index n = 0; n < theta.rows(); ++n) {
      const auto log_xi = static_cast<double>(theta(n, weights_));
      const double squares = theta.row(n).head(weights_).cast<double>().squaredNorm();
      result(n) = constant + (count / 2 + shape_) * log_xi - std::exp(log_xi) * (squares / 2 + 1 / scale_);
    }
    return result;
  }

  void add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override {
    const auto count = static_cast<double>(weights_);
    for (Index n = 0; n < theta.rows(); ++n) {
      const double xi = std::exp(static_cast<double>(theta(n, weights_)));
      const auto w = theta.row(n).head(weights_);
      grad.row(n).head(weights_) -= static_cast<Real>(weight * xi) * w;
      const auto squares = static_cast<double>(w.squaredNorm());
      const double slope = count / 2 + shape_ - xi * (squares / 2 + 1 / scale_);
      grad(n, weights_) += static_cast<Real>(weight * slope);
    }
  }

  void add_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override {
    for (Index n = 0; n < theta.rows(); ++n) {
      const double xi = std::exp(static_cast<double>(theta(n, weights_)));
      const double squares = theta.row(n).head(weights_).cast<double>().squaredNorm();
      curvature.row(n).head(weights_).array() -= static_cast<Real>(weight * xi);
      curvature(n, weights_) -= static_cast<Real>(weight * xi * (squares / 2 + 1 / scale_));
    }
  }

  void add_information(const ConstRowRef& theta, double weight, DoubleMatrix& information) const override {
    const double xi = std::exp(static_cast<double>(theta(weights_)));
    const DoubleVector w = theta.head(weights_).transpose().cast<double>();
    information.diagonal().head(weights_).array() += weight * xi;
    information.col(weights_).head(weights_) += weight * xi * w;
    information.row(weights_).head(weights_) += weight * xi * w.transpose();
    information(weights_, weights_) += weight * xi * (w.squaredNorm() / 2 + 1 / scale_);
  }

 private:
  Index weights_;
  double shape_;
  double scale_;
};

// Independent weights of a fixed deviation each.
class NormalPrior : public LogisticPrior {
 public:
  explicit NormalPrior(const RowVector& deviations) : weights_(deviations) {}

  Index own_parameters() const override { return 0; }
  void draw(Rng& rng, MatrixRef particles) const override { weights_.draw(rng, particles); }
  DoubleVector log_density(const ConstMatrixRef& theta) const override { return weights_.log_density(theta); }
  void add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override {
    weights_.add_score(theta, weight, grad);
  }
  void add_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override {
    weights_.add_curvature(theta, weight, curvature);
  }

  void add_information(const ConstRowRef& theta, double weight, DoubleMatrix& information) const override {
    Matrix curvature = Matrix::Zero(1, theta.cols());
    weights_.add_curvature(theta, 1, curvature);
    information.diagonal() -= weight * curvature.row(0).transpose().cast<double>();
  }

 private:
  LinearPrior weights_;
};

}  // namespace

std::shared_ptr<const LogisticPrior> make_logistic_prior(Index inputs, const LogisticRegression::Options& options) {
  const Index weights = inputs + (options.intercept ? 1 : 0);
  if (options.prior == LogisticRegression::Prior::kGamma) {
    return std::make_shared<GammaPrior>(weights, options.prior_shape, options.prior_scale);
  }
  const double given = options.prior_deviation;
  check_argument(std::isfinite(given) && given >= 0, kWho, [&] {
    return "prior_deviation is " + to_text(given) + "; it must be a finite number, 0 or above";
  });
  const double usual = std::sqrt(LogisticRegression::kUsualVariance / static_cast<double>(inputs));
  RowVector deviations = RowVector::Constant(weights, static_cast<Real>(given > 0 ? given : usual));
  if (options.intercept) deviations(inputs) = static_cast<Real>(LogisticRegression::kInterceptDeviation);
  return std::make_shared<NormalPrior>(deviations);
}

}  // namespace fedstein
