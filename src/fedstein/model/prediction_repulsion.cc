// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/prediction_repulsion.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kRows = 32;

StreamId of_repulsion(StreamId stream) {
  stream.purpose = Purpose::kRepulsion;
  return stream;
}

void shuffle_columns(Rng rng, MatrixRef x) {
  for (Index j = x.cols() - 1; j > 0; --j) {
    const auto other = static_cast<Index>(rng.below(static_cast<std::uint64_t>(j) + 1));
    if (other != j) x.col(j).swap(x.col(other));
  }
}

// D_ij / rows, symmetric; returns h.
double squared_distances(const ConstMatrixRef& f, Index rows, MatrixRef out) {
  const Index n = f.rows();
  Scratch pairs(1, n * (n - 1) / 2);
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    out(i, i) = 0;
    for (Index j = 0; j < i; ++j) {
      out(i, j) = out(j, i) = (f.row(i) - f.row(j)).squaredNorm() / static_cast<Real>(rows);
      (*pairs)(0, count++) = out(i, j);
    }
  }
  Real* begin = pairs->data();
  Real* middle = begin + count / 2;
  std::nth_element(begin, middle, begin + count);
  return static_cast<double>(*middle) / std::log(static_cast<double>(n) + 1);
}

// Replaces the distances by the factors of f_i - f_j in the pull on f_i.
void to_pulls(double h, Index rows, MatrixRef distances) {
  for (Index i = 0; i < distances.rows(); ++i) {
    auto row = distances.row(i).array();
    row = (row / static_cast<Real>(-h)).exp();  // 1 for itself: the sum is never 0
    row *= static_cast<Real>(2 / (h * static_cast<double>(rows))) / row.sum();
  }
}

}  // namespace

PredictionRepulsion::PredictionRepulsion(const Model& model, const MinibatchLikelihood& rows, const StreamId& stream)
    : answers_(model.answers()), rows_(&rows), rng_(of_repulsion(stream)) {
  check_argument(answers_ != nullptr, "PredictionRepulsion", "the model has no answers() that could be compared");
}

void PredictionRepulsion::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  const Index n = theta.rows();
  const Index rows = std::min(kRows, rows_->batch());
  if (n < 2 || rows == 0) return;
  const Index numbers = answers_->numbers();
  Scratch x(rows, rows_->inputs());
  rows_->copy_inputs(step, *x);
  shuffle_columns(rng_.at_step(static_cast<std::uint64_t>(step)), *x);

  Scratch f(n, numbers * rows);
  const auto answer = [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      answers_->answer(theta.row(i), *x, Eigen::Map<Matrix>(f->row(i).data(), numbers, rows));
    }
  };
  parallel_for(n, 1, answer);
  Scratch pulls(n, n);
  const double h = squared_distances(*f, rows, *pulls);
  if (!(h > 1e-12) || !std::isfinite(h)) return;
  to_pulls(h, rows, *pulls);
  *pulls *= static_cast<Real>(weight);

  const auto pull = [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Scratch on_f(1, numbers * rows);
      *on_f = pulls->row(i).sum() * f->row(i);
      on_f->noalias() -= pulls->row(i) * *f;
      answers_->add_pull(theta.row(i), *x, Eigen::Map<const Matrix>(on_f->data(), numbers, rows), grad.row(i));
    }
  };
  parallel_for(n, 1, pull);
}

}  // namespace fedstein
