// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/posterior_covariance.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/coefficients.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "posterior_information";

// First steps are short beside what parameters are; the second ones are the deviations that the first ones found. There
// the change of the score stands far above its rounding, and the error of a central difference is of the order 1 /
// rows.
constexpr double kFirstStep = 1e-2;
constexpr double kLongestStep = 0.5;

// Column k of the result is minus the derivative of the score by parameter k: scores at 2 d places in one call.
DoubleMatrix from_scores(
    const Model& model, const ConstRowRef& theta, const Batch& batch, double temperature, const DoubleVector& steps) {
  const Index d = theta.cols();
  Matrix places = theta.replicate(2 * d, 1);
  for (Index k = 0; k < d; ++k) {
    places(2 * k, k) += static_cast<Real>(steps(k));
    places(2 * k + 1, k) -= static_cast<Real>(steps(k));
  }
  Matrix scores = Matrix::Zero(2 * d, d);
  model.add_prior_score(places, 1, scores);
  model.add_likelihood_score(places, batch, 1 / temperature, scores);
  DoubleMatrix out(d, d);
  for (Index k = 0; k < d; ++k) {
    // What was added is not quite what was asked for, in single precision.
    const double apart = static_cast<double>(places(2 * k, k)) - static_cast<double>(places(2 * k + 1, k));
    out.row(k) = (scores.row(2 * k + 1).cast<double>() - scores.row(2 * k).cast<double>()) / apart;
  }
  return (out + out.transpose()) / 2;
}

}  // namespace

DoubleMatrix posterior_information(const Model& model,
                                   const ConstRowRef& theta,
                                   const Batch& batch,
                                   double temperature) {
  check_particles(kWho, theta, model.dimension());
  check_positive(kWho, "temperature", temperature);
  const Index d = theta.cols();
  if (const Information* exact = model.information()) {
    DoubleMatrix out = DoubleMatrix::Zero(d, d);
    exact->add_prior_information(theta, 1, out);
    exact->add_likelihood_information(theta, batch, 1 / temperature, out);
    return out;
  }
  const DoubleVector sizes = theta.transpose().cast<double>().cwiseAbs().cwiseMax(1.0);
  const DoubleMatrix rough = from_scores(model, theta, batch, temperature, kFirstStep * sizes);
  DoubleVector steps(d);
  for (Index k = 0; k < d; ++k) {
    const double found = rough(k, k);
    const double deviation = found > 0 && std::isfinite(found) ? 1 / std::sqrt(found) : kFirstStep;
    steps(k) = std::min(deviation, kLongestStep * sizes(k));
  }
  return from_scores(model, theta, batch, temperature, steps);
}

std::optional<DoubleMatrix> posterior_covariance(const Model& model,
                                                 const ConstRowRef& theta,
                                                 const Batch& batch,
                                                 double temperature) {
  if (model.dimension() > kMostCovarianceParameters) return {};
  const DoubleMatrix information = posterior_information(model, theta, batch, temperature);
  if (!information.allFinite() || (information.diagonal().array() <= 0).any()) return {};
  // With ones on the diagonal first: parameters may be of very different sizes.
  const DoubleVector sizes = information.diagonal().cwiseSqrt().cwiseInverse();
  const DoubleMatrix even = sizes.asDiagonal() * information * sizes.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor{Eigen::MatrixXd(even)};
  if (factor.info() != Eigen::Success) return {};
  const DoubleMatrix inverse = factor.solve(Eigen::MatrixXd::Identity(even.rows(), even.cols()));
  DoubleMatrix out = sizes.asDiagonal() * inverse * sizes.asDiagonal();
  out = ((out + out.transpose()) / 2).eval();
  if (!is_covariance(out)) return {};
  return out;
}

bool is_covariance(const DoubleMatrix& matrix) {
  if (matrix.rows() != matrix.cols() || !matrix.allFinite() || matrix != matrix.transpose() ||
      (matrix.diagonal().array() <= 0).any()) {
    return false;
  }
  const DoubleVector sizes = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlations = sizes.asDiagonal() * matrix * sizes.asDiagonal();
  return correlations.allFinite() && Eigen::LLT<Eigen::MatrixXd>(correlations).info() == Eigen::Success;
}

}  // namespace fedstein
