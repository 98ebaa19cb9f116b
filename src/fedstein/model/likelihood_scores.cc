// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/likelihood_scores.h"

#include <algorithm>
#include <limits>

#include "fedstein/base/counted.h"
#include "fedstein/base/interruption.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/lanes.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kMinibatch = "MinibatchLikelihood";

// The first few cache lines of a row, which may begin in the middle of one; of long rows the processor fetches the rest
// by itself.
void prefetch(const ConstRowRef& x, const Real& y) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(Real));
  for (Index k = 0; k < std::min(x.size(), 4 * kLine); k += kLine) __builtin_prefetch(x.data() + k, 0, 3);
  __builtin_prefetch(x.data() + std::min(x.size(), 4 * kLine) - 1, 0, 3);
  __builtin_prefetch(&y, 0, 3);
}

void copy_row(const Real* from, Index count, Real* to) {
  if (count < kLanes) {
    std::copy_n(from, count, to);
  } else {
    for_registers(count, [=](Index k) { store_lanes(load_lanes(from + k), to + k); });
  }
}

StreamId for_minibatches(StreamId stream) {
  stream.purpose = Purpose::kMinibatch;
  return stream;
}

}  // namespace

void PriorScore::add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const {
  model_->add_prior_score(theta, weight, grad);
}

FullLikelihood::FullLikelihood(const Model& model, const Batch& data) : model_(&model), data_(data) {
  model.check_data(data);
}

void FullLikelihood::add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const {
  heed_interruption();
  model_->add_likelihood_score(theta, data_, weight, grad);
}

MinibatchLikelihood::MinibatchLikelihood(const Model& model, const Batch& data, Index batch, const StreamId& stream)
    : model_(&model),
      data_(data),
      batch_(std::min(batch, data.rows())),
      stream_(for_minibatches(stream)),
      rng_(stream_) {
  check_argument(batch >= 1, kMinibatch, "batch is " + std::to_string(batch) + "; it must be at least 1");
  check_argument(data.y.size() == data.rows(),
                 kMinibatch,
                 "y has " + counted(data.y.size(), "value") + "; it must have one for each of the " +
                     counted(data.rows(), "row") + " of x");
  check_argument(data.rows() <= Index{std::numeric_limits<std::uint32_t>::max()},
                 kMinibatch,
                 "the data has " + counted(data.rows(), "row") + "; at most 4294967295 are supported");
}

const RowOrder& MinibatchLikelihood::order_of(Index epoch, Index end) const {
  Epoch& slot = epochs_[static_cast<std::size_t>(epoch % 2)];
  if (slot.number != epoch) {
    slot.number = epoch;
    slot.order.restart(data_.rows(), rng_.at_step(static_cast<std::uint64_t>(epoch)));
  }
  slot.order.draw_up_to(end);
  return slot.order;
}

template <typename Take>
void MinibatchLikelihood::for_rows(Index step, const Take& take) const {
  if (step < 0) check_argument(false, kMinibatch, "step is " + std::to_string(step) + "; it must not be negative");
  const Index n = data_.rows();
  Index taken = 0;
  while (taken < batch_) {
    const Index place = step * batch_ + taken;
    const Index begin = place % n;
    const Index count = std::min(batch_ - taken, n - begin);
    const RowOrder& order = order_of(place / n, begin + count);
    for (Index i = 0; i < count; ++i) take(taken + i, order[begin + i]);
    taken += count;
  }
}

std::vector<Index> MinibatchLikelihood::rows_of(Index step) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Index> rows(static_cast<std::size_t>(batch_));
  for_rows(step, [&](Index i, Index row) { rows[static_cast<std::size_t>(i)] = row; });
  return rows;
}

void MinibatchLikelihood::copy_inputs(Index step, MatrixRef x) const {
  check_argument(x.rows() <= batch_ && x.cols() == inputs(), kMinibatch, "x has another shape than the first rows");
  const std::lock_guard<std::mutex> lock(mutex_);
  for_rows(step, [&](Index i, Index row) {
    if (i < x.rows()) x.row(i) = data_.x.row(row);
  });
}

void MinibatchLikelihood::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  heed_interruption();
  const Index n = data_.rows();
  if (batch_ == n) return model_->add_likelihood_score(theta, data_, weight, grad);
  // Rows begin on register boundaries: loads and stores that straddle cache lines cost twice.
  const Index stride = (data_.x.cols() + kLanes - 1) / kLanes * kLanes;
  Scratch x(batch_, stride);
  Scratch y(batch_, 1);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for_rows(step, [&](Index i, Index row) {
      copy_row(data_.x.row(row).data(), data_.x.cols(), x->row(i).data());
      (*y)(i, 0) = data_.y(row);
    });
    // Scattered rows of a large shard come from main memory: ask now for those of the next step.
    for_rows(step + 1, [&](Index, Index row) { prefetch(data_.x.row(row), data_.y(row)); });
  }
  const double scale = static_cast<double>(n) / static_cast<double>(batch_);
  const Batch rows(Batch::Rows(x->data(), batch_, data_.x.cols(), Eigen::OuterStride<>(stride)),
                   Batch::Values(y->data(), batch_));
  model_->add_likelihood_score(theta, rows, weight * scale, grad);
}

}  // namespace fedstein
