// SPDX-License-Identifier: Apache-2.0
// What the model cannot know (aleatoric: every particle is unsure) and what it does not know yet (epistemic: the
// particles disagree). Particles are added one at a time, so that memory stays n x C whatever their number.
#pragma once

#include <span>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr const char* kEntropySplitConvention =
    "total = entropy of the averaged predictive, aleatoric = mean entropy of the particles' predictives, "
    "epistemic = total - aleatoric (mutual information), in nats";
inline constexpr const char* kVarianceSplitConvention =
    "total = variance of the predictive mixture, aleatoric = mean of the particles' variances, "
    "epistemic = variance of the particles' means (divided by N)";

// Per data row, in nats:
//
//   total = H( 1/N sum_j p_j )     aleatoric = 1/N sum_j H(p_j)     epistemic = total - aleatoric >= 0
//
// with 0 log 0 = 0. Jensen's inequality makes epistemic non-negative; what rounding leaves below 0 is set to 0.
struct EntropySplit {
  DoubleVector total;
  DoubleVector aleatoric;
  DoubleVector epistemic;
};

class EntropyAccumulator {
 public:
  EntropyAccumulator(Index rows, Index classes);
  // One particle's class probabilities, n x C. Rows are normalised in double first: sums of 1 +- 1e-7, as single
  // precision leaves them, would show in the entropies.
  void add(const ConstMatrixRef& probabilities);

  Index particles() const { return particles_; }
  // The averaged predictive, n x C. Like split(), refused before the first particle.
  Matrix mean() const;
  EntropySplit split() const;

 private:
  Index particles_ = 0;
  DoubleMatrix sum_;        // n x C
  DoubleVector entropies_;  // n, summed over the particles
};

// The same from N matrices of n x C at once.
EntropySplit entropy_split(std::span<const Matrix> probabilities);

// Per data row, by the law of total variance:
//
//   total = aleatoric + epistemic     aleatoric = 1/N sum_j v_j     epistemic = 1/N sum_j (m_j - mean)^2
struct VarianceSplit {
  DoubleVector mean;
  DoubleVector total;
  DoubleVector aleatoric;
  DoubleVector epistemic;
};

// Welford's update: means far from 0 and close together lose nothing.
class VarianceAccumulator {
 public:
  explicit VarianceAccumulator(Index rows);
  // One particle's means and noise variances (n each), or one variance for all rows; variances are not negative.
  void add(const Eigen::Ref<const Vector>& means, const Eigen::Ref<const Vector>& variances);
  void add(const Eigen::Ref<const Vector>& means, double variance);

  Index particles() const { return particles_; }
  VarianceSplit split() const;

 private:
  void add_means(const Eigen::Ref<const Vector>& means);

  Index particles_ = 0;
  DoubleVector mean_;
  DoubleVector squares_;    // sum of squared deviations from the mean
  DoubleVector variances_;  // summed
};

}  // namespace fedstein
