// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/likelihood_scores.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

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
  model_->add_likelihood_score(theta, data_, weight, grad);
}

MinibatchLikelihood::MinibatchLikelihood(const Model& model, const Batch& data, Index batch, const StreamId& stream)
    : model_(&model), data_(data), batch_(std::min(batch, data.rows())), rng_(for_minibatches(stream)) {
  check(batch >= 1, "MinibatchLikelihood", "batch is " + std::to_string(batch) + "; it must be at least 1");
  check(data.rows() <= Index{std::numeric_limits<std::uint32_t>::max()},
        "MinibatchLikelihood",
        "the data has " + std::to_string(data.rows()) + " rows; at most 4294967295 are supported");
  model.check_data(data);
}

const MinibatchLikelihood::Epoch& MinibatchLikelihood::epoch(Index number, Index end) const {
  Epoch& slot = epochs_[static_cast<std::size_t>(number % 2)];
  if (slot.number != number) {
    slot.number = number;
    slot.drawn = 0;
    slot.rng.emplace(rng_.at_step(static_cast<std::uint64_t>(number)));
    slot.order.resize(static_cast<std::size_t>(data_.rows()));
    std::iota(slot.order.begin(), slot.order.end(), std::uint32_t{0});
  }
  for (; slot.drawn < end; ++slot.drawn) {
    const auto place = static_cast<std::size_t>(slot.drawn);
    std::swap(slot.order[place], slot.order[place + slot.rng->below(slot.order.size() - place)]);
  }
  return slot;
}

template <typename Take>
void MinibatchLikelihood::for_rows(Index step, const Take& take) const {
  if (step < 0) check(false, "MinibatchLikelihood", "step is " + std::to_string(step) + "; it must not be negative");
  const Index n = data_.rows();
  const std::lock_guard<std::mutex> lock(mutex_);
  Index taken = 0;
  while (taken < batch_) {
    const Index place = step * batch_ + taken;
    const Index begin = place % n;
    const Index count = std::min(batch_ - taken, n - begin);
    const Epoch& current = epoch(place / n, begin + count);
    for (Index i = 0; i < count; ++i) {
      take(taken + i, static_cast<Index>(current.order[static_cast<std::size_t>(begin + i)]));
    }
    taken += count;
  }
}

std::vector<Index> MinibatchLikelihood::rows_of(Index step) const {
  std::vector<Index> rows(static_cast<std::size_t>(batch_));
  for_rows(step, [&](Index i, Index row) { rows[static_cast<std::size_t>(i)] = row; });
  return rows;
}

void MinibatchLikelihood::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  const Index n = data_.rows();
  if (batch_ == n) return model_->add_likelihood_score(theta, data_, weight, grad);
  Scratch x(batch_, data_.x.cols());
  Scratch y(batch_, 1);
  for_rows(step, [&](Index i, Index row) {
    x->row(i) = data_.x.row(row);
    (*y)(i, 0) = data_.y(row);
  });
  const double scale = static_cast<double>(n) / static_cast<double>(batch_);
  model_->add_likelihood_score(theta, {*x, Eigen::Map<const Vector>(y->data(), batch_)}, weight * scale, grad);
}

}  // namespace fedstein
