// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/curvature/others_model.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Below this part of the largest, a curvature is what rounding left of a difference.
constexpr double kLeastCurvature = 1e-6;

// c, by least squares over the coordinates; never more than the others' rows over the own, nor than there are others: a
// handful of rows must not stand for thousands.
double likeness_of(const Matrix& others, const Matrix& own, const AgentContext& context) {
  const DoubleMatrix f = own.cast<double>();
  const double squares = f.squaredNorm();
  if (!(squares > 0)) return 0;
  const auto rows = static_cast<double>(context.data.rows());
  const double by_rows = (static_cast<double>(context.total_rows) - rows) / rows;
  const double most = context.agents > 0 ? std::min(by_rows, static_cast<double>(context.agents - 1)) : by_rows;
  return std::clamp(others.cast<double>().cwiseProduct(f).sum() / squares, 0.0, std::max(0.0, most));
}

}  // namespace

void ChangeSince::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  score_->add(theta, step, weight, grad);
  score_->add(*z_, step, -weight, grad);
}

void LineScore::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  check_same_shape("LineScore::add", "theta", theta, "the anchors", z_);
  grad += static_cast<Real>(weight) * (value_ - slope_.cwiseProduct(theta - z_));
}

OthersModel::OthersModel(const AgentContext& context,
                         const CurvatureOptions& options,
                         const Belief& belief,
                         const FactorLine& mine,
                         const Particles& z,
                         const FactorMeasure& here)
    : trust_(options.trust), z_(z), here_(here) {
  const FactorLine rest{belief[kBeliefIntercept] - mine.intercept, belief[kBeliefSlope] - mine.slope};
  score_ = rest.at(belief[kBeliefPath]);
  curvature_ = rest.slope.cwiseMax(Real{0});
  likeness_ = likeness_of(curvature_, here.curvature, context);
  residual_ = (curvature_ - static_cast<Real>(likeness_) * here.curvature).cwiseMax(Real{0});
}

LineScore OthersModel::line(const Score& prior) const {
  Matrix total = here_.score + score_;
  prior.add(z_, 0, 1, total);
  const auto own = here_.score.array().abs();
  const auto other = score_.array().abs();
  const Matrix known = (curvature_ + here_.curvature).replicate(z_.rows(), 1);
  constexpr Real kNothing = 1e-30_r;  // where both scores are 0, the share is 0 and not a question
  const Matrix share = other / (other + own + kNothing);
  const Matrix wanted = (share.array() * total.array().abs() / static_cast<Real>(trust_)).matrix() - known;
  return {here_.score + score_, wanted.cwiseMax(residual_.replicate(z_.rows(), 1)), z_};
}

Matrix OthersModel::way(const Particles& next, const Matrix& own_score_there) const {
  const Matrix moved = next - z_;
  const Matrix lost =
      moved * residual_.row(0).asDiagonal() - static_cast<Real>(likeness_) * (own_score_there - here_.score);
  const Real least = static_cast<Real>(kLeastCurvature) * curvature_.maxCoeff();
  Matrix way = moved;
  for (Index n = 0; n < way.rows(); ++n) {
    // However correlated coordinates are, one cannot feel more than all that moved.
    const Real most = moved.row(n).cwiseAbs().sum();
    for (Index j = 0; j < way.cols(); ++j) {
      if (curvature_(j) > least) way(n, j) = std::clamp(lost(n, j) / curvature_(j), -most, most);
    }
  }
  return way;
}

}  // namespace fedstein
