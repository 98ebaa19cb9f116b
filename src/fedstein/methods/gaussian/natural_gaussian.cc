// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/gaussian/natural_gaussian.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kLeastPrecision = 0.5;  // of the precision before
constexpr double kMostDeviations = 1;    // by which a mean may move
constexpr int kHalvings = 60;

bool positive_definite(const DoubleMatrix& matrix) {
  return matrix.allFinite() && Eigen::LLT<DoubleMatrix>(matrix).info() == Eigen::Success;
}

NaturalGaussian coordinates_within_reach(const NaturalGaussian& q, NaturalGaussian move) {
  for (Index k = 0; k < q.dimension(); ++k) {
    const double precision = q.precision(0, k);
    const double change = move.precision(0, k);
    const double slope = std::abs(move.linear(k) - q.linear(k) / precision * change);
    double part = 1;
    if (change < 0) part = std::min(part, (1 - kLeastPrecision) * precision / -change);
    // part * slope <= reach * (precision + part * change)
    const double reach = kMostDeviations / std::sqrt(precision);
    if (const double excess = slope - reach * change; excess > 0) part = std::min(part, reach * precision / excess);
    move.linear(k) *= part;
    move.precision(0, k) *= part;
  }
  return move;
}

bool is_within_reach(const NaturalGaussian& q, const NaturalGaussian& move) {
  const NaturalGaussian next = q + move;
  if (!positive_definite(next.precision - kLeastPrecision * q.precision)) return false;
  const DoubleVector gap = next.mean() - q.mean();
  return gap.dot(q.precision * gap) <= kMostDeviations * kMostDeviations * static_cast<double>(q.dimension());
}

}  // namespace

NaturalGaussian NaturalGaussian::flat(Index dimension, bool full) {
  return {DoubleVector::Zero(dimension), DoubleMatrix::Zero(full ? dimension : 1, dimension)};
}

bool NaturalGaussian::proper() const {
  if (!linear.allFinite()) return false;
  return full() ? positive_definite(precision) : precision.allFinite() && precision.minCoeff() > 0;
}

DoubleVector NaturalGaussian::mean() const {
  if (full()) return Eigen::LLT<DoubleMatrix>(precision).solve(linear);
  return linear.array() / precision.row(0).transpose().array();
}

DoubleMatrix NaturalGaussian::covariance() const {
  if (full()) return Eigen::LLT<DoubleMatrix>(precision).solve(DoubleMatrix::Identity(dimension(), dimension()));
  return DoubleVector(precision.row(0).transpose().cwiseInverse()).asDiagonal();
}

DoubleVector NaturalGaussian::deviation() const {
  if (full()) return covariance().diagonal().cwiseSqrt();
  return precision.row(0).transpose().cwiseInverse().cwiseSqrt();
}

Particles NaturalGaussian::draws(const ConstMatrixRef& noise) const {
  check_columns("NaturalGaussian::draws", "noise", noise, dimension());
  DoubleMatrix places = noise.cast<double>();
  if (full()) {
    // precision = L L^T, so L^-T noise has its inverse as covariance.
    const Eigen::LLT<DoubleMatrix> cholesky(precision);
    places = cholesky.matrixU().solve(places.transpose()).transpose().eval();
  } else {
    places.array().rowwise() *= deviation().transpose().array();
  }
  places.rowwise() += mean().transpose();
  return places.cast<Real>();
}

NaturalGaussian& NaturalGaussian::operator+=(const NaturalGaussian& other) {
  linear += other.linear;
  precision += other.precision;
  return *this;
}

NaturalGaussian& NaturalGaussian::operator-=(const NaturalGaussian& other) {
  linear -= other.linear;
  precision -= other.precision;
  return *this;
}

NaturalGaussian& NaturalGaussian::operator*=(double factor) {
  linear *= factor;
  precision *= factor;
  return *this;
}

NaturalGaussian operator+(NaturalGaussian a, const NaturalGaussian& b) {
  return std::move(a += b);
}

NaturalGaussian operator-(NaturalGaussian a, const NaturalGaussian& b) {
  return std::move(a -= b);
}

NaturalGaussian operator*(double factor, NaturalGaussian a) {
  return std::move(a *= factor);
}

Belief to_belief(const NaturalGaussian& gaussian) {
  return {gaussian.linear.transpose().cast<Real>(), gaussian.precision.cast<Real>()};
}

NaturalGaussian from_belief(const Belief& belief) {
  check_argument(belief.size() == 2, "from_belief", "natural parameters are 2 matrices");
  return {belief[0].row(0).transpose().cast<double>(), belief[1].cast<double>()};
}

NaturalGaussian within_reach(const NaturalGaussian& q, NaturalGaussian move) {
  if (!q.full()) return coordinates_within_reach(q, std::move(move));
  for (int halving = 0; halving < kHalvings; ++halving) {
    if (is_within_reach(q, move)) return move;
    move *= 0.5;
  }
  return NaturalGaussian::flat(q.dimension(), true);
}

}  // namespace fedstein
