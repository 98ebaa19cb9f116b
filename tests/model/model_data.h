// SPDX-License-Identifier: Apache-2.0
// Small data sets and particles for the model tests, the same for the same seed.
#pragma once

#include <vector>

#include "fedstein/model/model.h"
#include "support/random_matrix.h"

namespace fedstein {

struct Rows {
  Matrix x;
  Vector y;
  Batch batch() const { return {x, y}; }
};

inline Rows signed_rows(Index rows, Index columns, std::uint64_t seed) {
  Rows data{random_matrix(rows, columns, seed), Vector(rows)};
  Rng rng({.seed = seed + 1000, .purpose = Purpose::kTest});
  for (Real& label : data.y) label = rng.uniform() < 0.5 ? Real{-1} : Real{1};
  return data;
}

inline Rows class_rows(Index rows, Index columns, Index classes, std::uint64_t seed) {
  Rows data{random_matrix(rows, columns, seed), Vector(rows)};
  Rng rng({.seed = seed + 1000, .purpose = Purpose::kTest});
  for (Real& label : data.y) label = static_cast<Real>(rng.below(static_cast<std::uint64_t>(classes)));
  return data;
}

inline Rows target_rows(Index rows, Index columns, std::uint64_t seed) {
  return {random_matrix(rows, columns, seed), random_matrix(rows, 1, seed + 1000).col(0)};
}

inline Matrix likelihood_score(const Model& model, const Matrix& theta, const Batch& batch, double weight = 1) {
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  model.add_likelihood_score(theta, batch, weight, grad);
  return grad;
}

inline Matrix prior_score(const Model& model, const Matrix& theta, double weight = 1) {
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  model.add_prior_score(theta, weight, grad);
  return grad;
}

}  // namespace fedstein
