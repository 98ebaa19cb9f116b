// SPDX-License-Identifier: Apache-2.0
// How far one distribution is from another: Kullback-Leibler on a grid for the toys, maximum mean discrepancy for
// particle sets of any dimension.
#pragma once

#include <functional>
#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr const char* kGridKlConvention =
    "KL in nats by the midpoint rule on a uniform grid, both densities normalised on the grid";

// `cells` equal cells from low to high, each represented by its midpoint: all points weigh the same, so that
// normalising on the grid is a plain sum.
struct UniformGrid {
  double low = 0;
  double high = 1;
  Index cells = 1;

  double width() const { return (high - low) / static_cast<double>(cells); }
  double point(Index i) const { return low + (static_cast<double>(i) + 0.5) * width(); }
};

// cells x 1.
Matrix grid_points(const UniformGrid& grid);
// (cells of first * cells of second) x 2, the second coordinate running fastest.
Matrix grid_points(const UniformGrid& first, const UniformGrid& second);

// log of the integral of exp(log_density) over the grid, cell_size being width() or the product of two. 0 for a
// normalised density that the grid holds; what is missing lies outside.
double log_mass(const Eigen::Ref<const DoubleVector>& log_density, double cell_size);

struct KlPair {
  double forward = 0;  // KL(q || p) = sum_i q_i log(q_i / p_i)
  double reverse = 0;  // KL(p || q)
};

// From log densities at the points of one uniform grid, of any dimension; neither needs to be normalised. -inf is
// density 0: where the first density is 0 the term is 0, where only the second is the divergence is +inf. NaN, +inf and
// a density that is 0 everywhere are refused. Never negative: what rounding leaves below 0 is set to 0.
KlPair kl_on_grid(const Eigen::Ref<const DoubleVector>& log_q, const Eigen::Ref<const DoubleVector>& log_p);

KlPair kl_divergence(const std::function<double(double)>& log_q,
                     const std::function<double(double)>& log_p,
                     const UniformGrid& grid);
KlPair kl_divergence(const std::function<double(double, double)>& log_q,
                     const std::function<double(double, double)>& log_p,
                     const UniformGrid& first,
                     const UniformGrid& second);

// Squared maximum mean discrepancy (Gretton et al. 2012) of particle sets x (N x d) and y (M x d), with the kernel
//
//   k(a, b) = exp( -|a - b|^2 / (2 h^2) )         (h is a distance; not the h of the SVGD kernel, exp(-|a - b|^2 / h))
//
//   biased   = mean_ij k(x_i, x_j)       + mean_ij k(y_i, y_j)       - 2 mean_ij k(x_i, y_j)    >= 0
//   unbiased = mean_{i != j} k(x_i, x_j) + mean_{i != j} k(y_i, y_j) - 2 mean_ij k(x_i, y_j)    may be negative
struct Mmd {
  double biased = 0;
  double unbiased = 0;   // NaN when a set has a single particle
  double bandwidth = 0;  // the h used
};
std::string describe(const Mmd& mmd);

// Memory: a block of rows times the larger set.
Mmd squared_mmd(const ConstMatrixRef& x, const ConstMatrixRef& y, double bandwidth);
// h = median_distance(x, y).
Mmd squared_mmd(const ConstMatrixRef& x, const ConstMatrixRef& y);

// Median of the distances between the N + M pooled particles, each pair once; the mean of the middle two when their
// number is even. Refused when it is 0. Memory: (N + M)^2 / 2 numbers, for a median needs them all.
double median_distance(const ConstMatrixRef& x, const ConstMatrixRef& y);

}  // namespace fedstein
