// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/gaussian/gaussian_projection.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

void PriorTerm::gradient(const ConstMatrixRef& theta, Index /*step*/, MatrixRef out) const {
  out.setZero();
  model_->add_prior_score(theta, 1, out);
}

void PriorTerm::curvature(const ConstMatrixRef& theta, Index /*step*/, MatrixRef out) const {
  out.setZero();
  model_->curvature()->add_prior_curvature(theta, 1, out);
}

LikelihoodTerm::LikelihoodTerm(const Model& model, const Batch& data, const Options& options)
    : model_(&model),
      data_(data),
      likelihood_(model, data, options.batch, options.stream),
      weight_(1 / options.temperature) {}

void LikelihoodTerm::gradient(const ConstMatrixRef& theta, Index step, MatrixRef out) const {
  out.setZero();
  likelihood_.add(theta, step, weight_, out);
}

void LikelihoodTerm::curvature(const ConstMatrixRef& theta, Index step, MatrixRef out) const {
  out.setZero();
  const Index count = likelihood_.batch();
  if (count == 0) return;
  if (count == data_.rows()) return model_->curvature()->add_likelihood_curvature(theta, data_, weight_, out);
  const std::vector<Index> rows = likelihood_.rows_of(step);
  const Matrix x = data_.x(rows, Eigen::all);
  const Vector y = data_.y(rows);
  const double scale = static_cast<double>(data_.rows()) / static_cast<double>(count);
  model_->curvature()->add_likelihood_curvature(theta, {x, y}, weight_ * scale, out);
}

NaturalGaussian project(const NaturalGaussian& q, const Differentiable& f, Index step, const NormalQuadrature& rule) {
  check_argument(q.full(), "project", "a quadrature rule is for a q with all covariances");
  const Matrix places = q.draws(rule.nodes.cast<Real>());
  Matrix gradients(places.rows(), places.cols());
  f.gradient(places, step, gradients);

  const DoubleVector mean = q.mean();
  const DoubleMatrix g = gradients.cast<double>();
  const DoubleVector slope = g.transpose() * rule.weights;
  // Both sides centred: the rounding of a large common gradient would otherwise enter the Hessian.
  const DoubleMatrix gaps = places.cast<double>().rowwise() - mean.transpose();
  const DoubleMatrix moment =
      (g.rowwise() - slope.transpose()).transpose() * rule.weights.asDiagonal() * gaps * q.precision;
  NaturalGaussian result{slope, -0.5 * (moment + moment.transpose())};
  result.linear += result.precision * mean;
  return result;
}

NaturalGaussian project(const NaturalGaussian& q, const Differentiable& f, Index step, const ConstMatrixRef& noise) {
  check_argument(!q.full(), "project", "sampled expectations are for a mean field");
  const Index pairs = noise.rows();
  Matrix both(2 * pairs, noise.cols());
  both << noise, -noise;
  const Matrix places = q.draws(both);
  Matrix gradients(places.rows(), places.cols());
  f.gradient(places, step, gradients);

  const DoubleVector mean = q.mean();
  DoubleVector hessian(q.dimension());
  if (f.has_curvature()) {
    Matrix curvatures(places.rows(), places.cols());
    f.curvature(places, step, curvatures);
    hessian = curvatures.cast<double>().colwise().mean().transpose();
  } else {
    const auto differences = (gradients.topRows(pairs) - gradients.bottomRows(pairs)).cast<double>().array();
    const DoubleMatrix eps = noise.cast<double>();
    const DoubleVector covariance = (differences * eps.array()).colwise().sum().transpose() / 2;
    const DoubleVector variance = eps.cwiseAbs2().colwise().sum().transpose();
    hessian = covariance.array() / (variance.array() * q.deviation().array());
  }
  NaturalGaussian result{gradients.cast<double>().colwise().mean().transpose(), -hessian.transpose()};
  result.linear -= hessian.cwiseProduct(mean);
  return result;
}

}  // namespace fedstein
