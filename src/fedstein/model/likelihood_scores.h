// SPDX-License-Identifier: Apache-2.0
// A model's prior and likelihood as terms of a target. Each borrows the model and the data for its life; the
// temperature alpha is the weight 1/alpha of the term.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "fedstein/model/model.h"
#include "fedstein/model/row_order.h"
#include "fedstein/stein/score.h"

namespace fedstein {

class PriorScore : public Score {
 public:
  explicit PriorScore(const Model& model) : model_(&model) {}
  explicit PriorScore(const Model&&) = delete;
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  ScoreDescription describe() const override { return PriorOf{model_}; }

 private:
  const Model* model_;
};

// All rows in every step. An agent without rows adds nothing.
class FullLikelihood : public Score {
 public:
  FullLikelihood(const Model& model, const Batch& data);
  FullLikelihood(const Model&&, const Batch&) = delete;
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  ScoreDescription describe() const override { return LikelihoodOf{model_, &data_, data_.rows(), std::nullopt}; }

 private:
  const Model* model_;
  Batch data_;
};

// min(batch, n) rows in every step, scaled by n/batch: an unbiased estimate of the full score.
//
// The data is read in epochs, each in an order of its own drawn from stream.at_step(epoch): step l takes the places
// l*batch .. (l+1)*batch - 1 of the orders laid end to end. A batch that reaches the end of an epoch is completed from
// the next one (and may then hold a row twice), so that every row is seen equally often: the mean score over n steps is
// the full score exactly. Which rows a step sees depends on the stream's name and the step alone.
//
// Safe to call from several threads: the orders are kept behind a lock. Rising steps are cheapest; a jump back by an
// epoch or more draws that epoch anew. Meant to be made anew for every round, so the data is not searched for values
// that are not finite: its owner has called model.check_data() once. (Labels are checked in every step.)
class MinibatchLikelihood : public Score {
 public:
  // The stream's purpose is taken to be kMinibatch whatever it says.
  MinibatchLikelihood(const Model& model, const Batch& data, Index batch, const StreamId& stream);
  MinibatchLikelihood(const Model&&, const Batch&, Index, const StreamId&) = delete;
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  ScoreDescription describe() const override { return LikelihoodOf{model_, &data_, batch_, stream_}; }

  Index batch() const { return batch_; }
  Index inputs() const { return data_.x.cols(); }
  // The inputs of a step's first rows, as many as x has, at most batch().
  void copy_inputs(Index step, MatrixRef x) const;
  // The rows of a step, in order.
  std::vector<Index> rows_of(Index step) const;

 private:
  struct Epoch {
    Index number = -1;
    RowOrder order;
  };
  // An epoch's order, drawn at least up to the place `end`.
  const RowOrder& order_of(Index epoch, Index end) const;
  // Calls take(i, row) for the i-th row of a step. Needs the lock.
  template <typename Take>
  void for_rows(Index step, const Take& take) const;

  const Model* model_;
  Batch data_;
  Index batch_;
  StreamId stream_;
  Rng rng_;
  mutable std::mutex mutex_;
  mutable std::array<Epoch, 2> epochs_;  // a batch may span two
};

}  // namespace fedstein
