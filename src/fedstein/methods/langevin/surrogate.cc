// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/langevin/surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kPoints = 100;          // for lines
constexpr Index kCurvaturePoints = 10;  // exact slopes need fewer
constexpr double kLeastSpread = 0.01;   // of the points, where the ascent has come to rest

// Where the ascent's second half was, and how widely it wandered.
struct Place {
  DoubleVector mean;
  DoubleVector deviation;
};

Place ascend(const AgentContext& context, const LangevinOptions& options, Index steps) {
  const Model& model = *context.model;
  ParticleOptions how;
  how.particles = 1;
  how.batch = options.batch;
  if (model.starts_at_zero()) how.given_start = Matrix::Zero(1, model.dimension());
  Particles point = initial_particles(model, how, context.seed);
  model.fit_start(context.data, point);

  const PriorScore prior(model);
  const auto loglik = likelihood_of(context, how, /*round=*/0);
  const Terms target = {{+1, prior}, {shard_weight(context, options) / options.temperature, *loglik}};
  const LocalSvgd rule(model, how);
  const auto state = rule.step_rule().start(1, point.cols());
  const auto constrain = constraint_of(model);
  Matrix score(1, point.cols());
  DoubleVector sum = point.row(0).transpose().cast<double>();
  DoubleVector squares = sum.cwiseAbs2();
  double count = 1;
  for (Index l = 0; l < steps; ++l) {
    evaluate_terms(target, point, l, score);
    state->step(score, point);
    if (constrain) constrain(point);
    const DoubleVector now = point.row(0).transpose().cast<double>();
    const bool first = l == steps / 2;
    sum = first ? now : DoubleVector(sum + now);
    squares = first ? DoubleVector(now.cwiseAbs2()) : DoubleVector(squares + now.cwiseAbs2());
    count = first ? 1 : count + 1;
  }
  if (first_non_finite(point).row >= 0) throw Divergence("fsgld: the ascent to a surrogate left the finite numbers");
  const DoubleVector mean = sum / count;
  const DoubleVector variance = (squares / count - mean.cwiseAbs2()).cwiseMax(kLeastSpread * kLeastSpread);
  return {mean, variance.cwiseSqrt()};
}

Matrix points_around(const Place& place, Index count, const AgentContext& context) {
  Matrix points(count, place.mean.size());
  Rng rng({.seed = context.seed,
           .agent = static_cast<std::uint64_t>(context.agent),
           .round = 0,
           .purpose = Purpose::kNoise});
  rng.fill_normal(points);
  points = (points * place.deviation.cast<Real>().asDiagonal()).rowwise() + place.mean.transpose().cast<Real>();
  if (const auto constrain = constraint_of(*context.model)) constrain(points);
  return points;
}

}  // namespace

Reach::Reach(const Surrogate& gaussian) : bounds_(2, gaussian.cols()) {
  for (Index j = 0; j < gaussian.cols(); ++j) {
    const auto precision = static_cast<double>(gaussian(1, j));
    const double most = std::numeric_limits<double>::infinity();
    const double mean = precision > 0 ? static_cast<double>(gaussian(0, j)) / precision : 0;
    const double far = precision > 0 ? kDeviations / std::sqrt(precision) : most;
    bounds_(0, j) = static_cast<Real>(mean - far);
    bounds_(1, j) = static_cast<Real>(mean + far);
  }
}

Matrix Reach::nearest(const ConstMatrixRef& theta) const {
  Matrix place = theta;
  if (bounds_.size() == 0) return place;
  for (Index n = 0; n < place.rows(); ++n) {
    place.row(n) = place.row(n).cwiseMax(bounds_.row(0)).cwiseMin(bounds_.row(1));
  }
  return place;
}

void SurrogateScore::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  const auto scale = static_cast<Real>(weight);
  const Matrix place = reach_.nearest(theta);
  for (Index n = 0; n < theta.rows(); ++n) {
    grad.row(n).array() += scale * (surrogate_.row(0).array() - surrogate_.row(1).array() * place.row(n).array());
  }
}

Surrogate fit_line(const ConstMatrixRef& theta, const ConstMatrixRef& scores) {
  check_not_empty("fit_line", "theta", theta);
  check_same_shape("fit_line", "scores", scores, "theta", theta);
  Surrogate surrogate(2, theta.cols());
  for (Index j = 0; j < theta.cols(); ++j) {
    const DoubleVector x = theta.col(j).cast<double>();
    const DoubleVector s = scores.col(j).cast<double>();
    const DoubleVector centred = x.array() - x.mean();
    const double spread = centred.squaredNorm();
    const double precision = spread > 0 ? std::max(0.0, -centred.dot(s) / spread) : 0;
    surrogate(0, j) = static_cast<Real>(s.mean() + precision * x.mean());
    surrogate(1, j) = static_cast<Real>(precision);
  }
  return surrogate;
}

Surrogate fit_surrogate(const AgentContext& context, const LangevinOptions& options, Index steps) {
  const Model& model = *context.model;
  if (context.data.rows() == 0) return Surrogate::Zero(2, model.dimension());
  const Place place = ascend(context, options, steps);
  const Curvature* curvature = model.curvature();
  const Matrix points = points_around(place, curvature != nullptr ? kCurvaturePoints : kPoints, context);
  Matrix scores = Matrix::Zero(points.rows(), points.cols());
  model.add_likelihood_score(points, context.data, 1 / options.temperature, scores);
  if (curvature == nullptr) return fit_line(points, scores);

  Matrix slopes = Matrix::Zero(points.rows(), points.cols());
  curvature->add_likelihood_curvature(points, context.data, 1 / options.temperature, slopes);
  const Eigen::RowVectorXd precision = -slopes.cast<double>().colwise().mean().cwiseMin(0);
  const Eigen::RowVectorXd middle = points.cast<double>().colwise().mean();
  Surrogate surrogate(2, points.cols());
  surrogate.row(0) = (scores.cast<double>().colwise().mean() + precision.cwiseProduct(middle)).cast<Real>();
  surrogate.row(1) = precision.cast<Real>();
  return surrogate;
}

}  // namespace fedstein
