// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/anchored_sum.h"

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/lanes.h"
#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/numeric/thin_product.h"
#include "fedstein/stein/few_particles.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 2048;

// out_i -= factor (x_i - reference) for some columns.
void subtract_centred(Real factor, const ConstMatrixRef& x, const Real* reference, MatrixRef out) {
  const Index columns = x.cols();
  if (columns < kLanes) {
    const Eigen::Map<const RowVector> mean(reference, columns);
    for (Index i = 0; i < x.rows(); ++i) out.row(i) -= factor * (x.row(i) - mean);
    return;
  }
  const Lanes scale = broadcast(factor);
  const Index whole = columns / kLanes * kLanes;
  const LaneMask rest = last_lanes(columns - whole);
  for (Index i = 0; i < x.rows(); ++i) {
    const Real* from = x.row(i).data();
    Real* to = out.row(i).data();
    for (Index k = 0; k < whole; k += kLanes)
      store_lanes(load_lanes(to + k) - scale * (load_lanes(from + k) - load_lanes(reference + k)), to + k);
    if (whole == columns) continue;
    const Index k = columns - kLanes;
    store_lanes(load_lanes(to + k) - keep(rest, scale * (load_lanes(from + k) - load_lanes(reference + k))), to + k);
  }
}

}  // namespace

AnchoredSum::AnchoredSum(const std::vector<Part>& parts) {
  Index rows = 0;
  for (const Part& part : parts) rows += part.score.anchors->rows();
  anchors_.resize(rows, parts.front().score.anchors->cols());
  values_.resize(rows, anchors_.cols());
  Index begin = 0;
  for (const Part& part : parts) {
    const Index count = part.score.anchors->rows();
    check_columns("AnchoredSum", "anchors", *part.score.anchors, anchors_.cols());
    anchors_.middleRows(begin, count) = *part.score.anchors;
    groups_.push_back({begin, count, part.score.h});
    pull_ += part.weight * part.score.pull;
    begin += count;
  }
  reference_ = anchors_.colwise().mean();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto values = values_.middleRows(groups_[i].begin, groups_[i].count);
    if (parts[i].score.values != nullptr) {
      values = static_cast<Real>(parts[i].weight) * *parts[i].score.values;
    } else {
      values =
          static_cast<Real>(parts[i].weight * parts[i].score.pull) * (parts[i].score.anchors->rowwise() - reference_);
    }
  }
}

void AnchoredSum::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  check_same_shape("AnchoredSum::add", "grad", grad, "theta", theta);
  const At at(*this, theta, weight);
  parallel_for(theta.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    at.add_columns(begin, grad.middleCols(begin, end - begin));
  });
}

AnchoredSum::At::At(const AnchoredSum& sum, const ConstMatrixRef& theta, double weight)
    : sum_(&sum),
      theta_(theta),
      weight_(weight),
      few_(are_few(theta)),
      weights_(few_ ? sum.anchors_.rows() : theta.rows(), few_ ? kNarrowColumns : sum.anchors_.rows()) {
  check_columns("AnchoredSum", "theta", theta, sum.dimension());
  if (few_) {
    few_softmax_weights(sum.groups_, theta, sum.anchors_, *weights_);
  } else {
    squared_distances(theta, sum.anchors_, *weights_);
    softmax_weights(sum.groups_, *weights_);
    if (weight != 1) *weights_ *= static_cast<Real>(weight);
    rows_.emplace(*weights_);
  }
}

void AnchoredSum::At::add_columns(Index first, MatrixRef grad) const {
  const auto values = sum_->values_.middleCols(first, grad.cols());
  if (few_) {
    const Factors by_anchor{weights_->data(), theta_.rows(), 1, kNarrowColumns};
    const RowSet rows{values.data(), values.rows(), values.outerStride()};
    add_thin_product(
        static_cast<Real>(weight_), by_anchor, rows.count, rows, grad.cols(), grad.data(), grad.outerStride());
  } else {
    rows_->add(values, grad);
  }
  const auto pull = static_cast<Real>(weight_ * sum_->pull_);
  if (pull == 0) return;
  subtract_centred(pull, theta_.middleCols(first, grad.cols()), sum_->reference_.data() + first, grad);
}

JointTerms::JointTerms(const Terms& terms) {
  std::vector<AnchoredSum::Part> parts;
  Terms single;
  for (const Term& term : terms) term.score->append_terms(term.weight, single);
  for (const Term& term : single) {
    if (const auto form = term.score->anchored()) {
      parts.push_back({term.weight, *form});
    } else {
      others_.push_back(term);
    }
  }
  if (!parts.empty()) joined_.emplace_back(parts);
}

}  // namespace fedstein
