// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/messages.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// A Gaussian, or a factor of one, by its natural parameters, in double:
//
//   log t(x) = linear.x - 1/2 x.(precision x) + constant,     mean = precision^-1 linear.
//
// Products of factors add their parameters. `precision` is d x d, or 1 x d where only its diagonal is kept (mean
// field). A factor may have a negative precision; a distribution must be proper().
struct NaturalGaussian {
  DoubleVector linear;
  DoubleMatrix precision;

  // The constant 1, of dimension d.
  static NaturalGaussian flat(Index dimension, bool full);

  Index dimension() const { return linear.size(); }
  bool full() const { return precision.rows() == linear.size(); }
  bool proper() const;
  DoubleVector mean() const;
  DoubleVector deviation() const;   // of every coordinate
  DoubleMatrix covariance() const;  // d x d also where it is diagonal

  // `count` draws from the standard normal `noise` (count x d): the same noise gives the same places of the Gaussian.
  Particles draws(const ConstMatrixRef& noise) const;

  NaturalGaussian& operator+=(const NaturalGaussian& other);
  NaturalGaussian& operator-=(const NaturalGaussian& other);
  NaturalGaussian& operator*=(double factor);
};

NaturalGaussian operator+(NaturalGaussian a, const NaturalGaussian& b);
NaturalGaussian operator-(NaturalGaussian a, const NaturalGaussian& b);
NaturalGaussian operator*(double factor, NaturalGaussian a);

// As they travel: { linear as 1 x d, precision }, in Real.
Belief to_belief(const NaturalGaussian& gaussian);
NaturalGaussian from_belief(const Belief& belief);

// The largest part of `move`, at most all of it, after which q is still proper and near itself: no precision below half
// of what it was, no mean moved by more than a deviation. Of a mean field every coordinate is shortened on its own.
// A step in natural parameters is a Newton step; from a wide prior it would leave for where the likelihood is flat.
NaturalGaussian within_reach(const NaturalGaussian& q, NaturalGaussian move);

}  // namespace fedstein
