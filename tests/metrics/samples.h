// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/numeric/rng.h"

namespace fedstein {

// Probabilities and labels that go with them, the same for the same seed.
struct Sample {
  Matrix probabilities;  // n x C
  std::vector<Index> labels;
};

inline Rng test_rng(std::uint64_t seed) {
  return Rng({.seed = seed, .purpose = Purpose::kTest});
}

// Uniform on the simplex; labels are the most probable class more often than not.
inline Sample smooth_sample(Index rows, Index classes, std::uint64_t seed) {
  Rng rng = test_rng(seed);
  Sample out{Matrix(rows, classes), {}};
  for (Index row = 0; row < rows; ++row) {
    for (Index k = 0; k < classes; ++k) out.probabilities(row, k) = static_cast<Real>(rng.gamma(1, 1));
    out.probabilities.row(row) /= out.probabilities.row(row).sum();
    Index best = 0;
    out.probabilities.row(row).maxCoeff(&best);
    const auto other = static_cast<Index>(rng.below(static_cast<std::uint64_t>(classes)));
    out.labels.push_back(rng.uniform() < 0.6 ? best : other);
  }
  return out;
}

// Multiples of 1/8, which every precision holds exactly: full of ties, zeros and ones.
inline Sample coarse_sample(Index rows, Index classes, std::uint64_t seed) {
  Rng rng = test_rng(seed);
  Sample out{Matrix::Zero(rows, classes), {}};
  for (Index row = 0; row < rows; ++row) {
    const auto draw = [&] { return static_cast<Index>(rng.below(static_cast<std::uint64_t>(classes))); };
    for (int eighth = 0; eighth < 8; ++eighth) out.probabilities(row, draw()) += Real{0.125};
    out.labels.push_back(draw());
  }
  return out;
}

// Rows of the sample in another order.
inline Sample permuted(const Sample& sample, std::uint64_t seed) {
  Sample out = sample;
  const std::vector<Index> order = test_rng(seed).permutation(sample.probabilities.rows());
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.probabilities.row(static_cast<Index>(i)) = sample.probabilities.row(order[i]);
    out.labels[i] = sample.labels[static_cast<std::size_t>(order[i])];
  }
  return out;
}

}  // namespace fedstein
