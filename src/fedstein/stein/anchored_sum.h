// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/stein/score.h"
#include "fedstein/stein/softmax_weights.h"

namespace fedstein {

// A signed sum of scores of Anchored form (KDEs, score fields), evaluated as one: distances to all anchors together,
// one product for all values. A target of three KDEs then reads the particles twice instead of six times.
class AnchoredSum : public Score {
 public:
  struct Part {
    double weight;
    Anchored score;
  };
  // At least one part; keeps copies of what they point at.
  explicit AnchoredSum(const std::vector<Part>& parts);

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

  // The sum's value at some particles: the weights of all anchors, found on construction. A local, as Scratch is.
  // Borrows the sum and theta.
  class At {
   public:
    At(const AnchoredSum& sum, const ConstMatrixRef& theta, double weight = 1);
    // grad, some columns from `first` on, += the sum's. Those few particles of few_particles.h want all columns at
    // once.
    void add_columns(Index first, MatrixRef grad) const;

   private:
    const AnchoredSum* sum_;
    ConstMatrixRef theta_;
    double weight_;
    bool few_;
    Scratch weights_;  // particles x anchors; transposed for a few
    std::optional<WeightedRows> rows_;
  };

  Index dimension() const { return anchors_.cols(); }
  const Matrix& anchors() const { return anchors_; }
  const Matrix& values() const { return values_; }

 private:
  std::vector<SoftmaxGroup> groups_;
  Matrix anchors_;       // of all parts
  Matrix values_;        // likewise, times the parts' weights; of KDEs minus pull * reference
  RowVector reference_;  // mean of the anchors: sums of values keep their digits far from the origin
  double pull_ = 0;      // of all parts together
};

// A target's terms, those that can be evaluated together joined. Borrows the others for its life.
class JointTerms {
 public:
  explicit JointTerms(const Terms& terms);

  // The two kinds apart, for loops that evaluate the joined ones a block of columns at a time; joined() may be null.
  const AnchoredSum* joined() const { return joined_.empty() ? nullptr : &joined_.front(); }
  const Terms& others() const { return others_; }

 private:
  std::vector<AnchoredSum> joined_;  // one, or none
  Terms others_;
};

}  // namespace fedstein
