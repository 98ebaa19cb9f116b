// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/autodiff_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fedstein/model/autodiff_tape.h"
#include "fedstein/model/particle_pieces.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using autodiff::Features;
using autodiff::Parameters;
using autodiff::Tape;
using autodiff::TapeLease;
using autodiff::Var;

constexpr const char* kName = "AutoDiffModel";
// Operations per row and particle, to decide what is worth a second thread: products with the inputs, forth and back,
// and some twenty functions.
constexpr double kFunctions = 200;

double entropy_of(double p) {
  const auto part = [](double q) { return q > 0 ? -q * std::log(q) : 0.0; };
  return part(p) + part(1 - p);
}

}  // namespace

AutoDiffModel::AutoDiffModel(AutoDiffParts parts) : parts_(std::move(parts)) {
  check_argument(parts_.dimension >= 1, kName, [&] {
    return "dimension is " + std::to_string(parts_.dimension) + "; it must be at least 1";
  });
  check_argument(parts_.inputs >= 1, kName, [&] {
    return "inputs is " + std::to_string(parts_.inputs) + "; it must be at least 1";
  });
  check_positive(kName, "prior_deviation", parts_.prior_deviation);
  check_argument(parts_.log_likelihood != nullptr, kName, "log_likelihood is empty; it is needed");
  check_argument(!parts_.mean || !parts_.probability, kName, "mean and probability are given; allowed: one of them");
}

void AutoDiffModel::check_batch(const Batch& batch) const {
  check_batch_shape(kName, batch, parts_.inputs);
  if (parts_.probability) check_labels(kName, batch.y, parts_.labels, 2);
}

void AutoDiffModel::check_data(const Batch& batch) const {
  check_batch(batch);
  check_finite(kName, "x", batch.x);
  check_finite(kName, "y", Eigen::Map<const Matrix>(batch.y.data(), batch.y.size(), 1));
}

void AutoDiffModel::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  rng.fill_normal(particles, 0, parts_.prior_deviation);
}

DoubleVector AutoDiffModel::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  if (!parts_.log_prior) {
    const double variance = parts_.prior_deviation * parts_.prior_deviation;
    const double peak = -0.5 * static_cast<double>(dimension()) * std::log(2 * std::numbers::pi * variance);
    return (peak - theta.cast<double>().rowwise().squaredNorm().array() / (2 * variance)).matrix();
  }
  const TapeLease tape;
  DoubleVector out(theta.rows());
  Vector value(1);
  for (Index n = 0; n < theta.rows(); ++n) {
    tape->start(theta.row(n));
    tape->read(parts_.log_prior(Parameters(*tape)), value);
    out(n) = static_cast<double>(value(0));
  }
  return out;
}

void AutoDiffModel::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  if (!parts_.log_prior) {
    grad -= static_cast<Real>(weight / (parts_.prior_deviation * parts_.prior_deviation)) * theta;
    return;
  }
  const TapeLease tape;
  for (Index n = 0; n < theta.rows(); ++n) {
    tape->start(theta.row(n));
    tape->differentiate(parts_.log_prior(Parameters(*tape)), weight, grad.row(n));
  }
}

DoubleVector AutoDiffModel::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch(batch);
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    const TapeLease tape;
    Scratch values(count, 1);
    tape->start(theta.row(n), batch.middle_rows(begin, count));
    const Var result = parts_.log_likelihood(Parameters(*tape), Features(*tape), tape->target());
    tape->read(result, Eigen::Map<Vector>(values->data(), count));
    return values->cast<double>().sum();
  });
}

void AutoDiffModel::add_likelihood_score(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch(batch);
  if (batch.rows() == 0) return;
  const double cost = 4 * static_cast<double>(parts_.inputs) + kFunctions;
  for_particle_pieces(batch.rows(), cost, grad, [&](Index n, Index first, Index count, RowRef out) {
    const TapeLease tape;
    for (Index begin = first; begin < first + count; begin += Tape::kRows) {
      const Index rows = std::min(Tape::kRows, first + count - begin);
      tape->start(theta.row(n), batch.middle_rows(begin, rows));
      const Var result = parts_.log_likelihood(Parameters(*tape), Features(*tape), tape->target());
      tape->differentiate(result, weight, out);
    }
  });
}

Prediction AutoDiffModel::predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const {
  check_particles(kName, theta, dimension());
  check_columns(kName, "x", x, parts_.inputs);
  const bool classes = parts_.probability != nullptr;
  const Vector no_targets = Vector::Zero(std::min(x.rows(), kEvaluationRows));
  const double share = 1 / static_cast<double>(theta.rows());
  Prediction result;
  if (classes) {
    result.probabilities.resize(x.rows(), 2);
    result.mean_entropy.resize(x.rows());
  } else {
    result.mean.resize(x.rows());
    result.epistemic_variance.resize(x.rows());
    result.aleatoric_variance = DoubleVector::Zero(x.rows());
  }
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    const TapeLease tape;
    const Eigen::Map<const Vector> targets(no_targets.data(), count);
    Vector values(count);
    DoubleVector mean = DoubleVector::Zero(count);  // and squared deviations, particle by particle (Welford)
    DoubleVector squares = DoubleVector::Zero(count);
    DoubleVector entropy = DoubleVector::Zero(count);
    const Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>> rows(
        x.row(begin).data(), count, x.cols(), Eigen::OuterStride<>(x.outerStride()));
    for (Index n = 0; n < theta.rows(); ++n) {
      tape->start(theta.row(n), Batch(rows, targets));
      tape->read((classes ? parts_.probability : parts_.mean)(Parameters(*tape), Features(*tape)), values);
      const DoubleVector gap = values.cast<double>() - mean;
      mean += gap / static_cast<double>(n + 1);
      squares += gap.cwiseProduct(values.cast<double>() - mean);
      if (classes) entropy += share * values.cast<double>().unaryExpr(&entropy_of);
    }
    if (classes) {
      result.probabilities.col(1).segment(begin, count) = mean.cast<Real>();
      result.probabilities.col(0).segment(begin, count) = (1 - mean.array()).matrix().cast<Real>();
      result.mean_entropy.segment(begin, count) = entropy;
    } else {
      result.mean.segment(begin, count) = mean;
      result.epistemic_variance.segment(begin, count) = share * squares;
    }
  });
  return result;
}

DoubleVector AutoDiffModel::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch(batch);
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    const TapeLease tape;
    Scratch values(count, 1);
    Eigen::Map<Vector> row_values(values->data(), count);
    tape->start(theta.row(n), batch.middle_rows(begin, count));
    tape->read(parts_.log_likelihood(Parameters(*tape), Features(*tape), tape->target()), row_values);
    out = row_values.cast<double>();
  });
}

Real AutoDiffModel::label_of(Index index) const {
  return static_cast<Real>(parts_.labels == Labels::kSigned ? 2 * index - 1 : index);
}

}  // namespace fedstein
