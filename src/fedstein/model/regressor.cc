// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/regressor.h"

#include <utility>

#include "fedstein/model/checks.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {

Regressor::Regressor(const char* name, Index inputs, std::shared_ptr<const RegressionLoss> loss)
    : name_(name), inputs_(inputs), loss_(std::move(loss)) {
  check_argument(inputs >= 1, name, "inputs is " + std::to_string(inputs) + "; it must be at least 1");
  check_argument(loss_ != nullptr, name, "loss is null; it must point to a loss");
}

void Regressor::check_data(const Batch& batch) const {
  check_batch_shape(name_, batch, inputs_);
  check_finite(name_, "x", batch.x);
  check_finite(name_, "y", Eigen::Map<const Matrix>(batch.y.data(), batch.y.size(), 1));
}

// The offset first: beside a target of its size the difference is exact, and no digit of the rest is lost.
void Regressor::residuals(const ConstRowRef& theta, const Batch& batch, VectorRef out) const {
  outputs(theta, batch.x, out);
  out = (batch.y.array() - static_cast<Real>(offset(theta))).matrix() - out;
}

DoubleVector Regressor::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch_shape(name_, batch, inputs_);
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    residuals(theta.row(n), batch.middle_rows(begin, count), values);
    loss_->evaluate(log_precision(theta.row(n)), values);
    return -values.cast<double>().sum();
  });
}

Prediction Regressor::predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const {
  check_particles(name_, theta, dimension());
  check_columns(name_, "x", x, inputs_);
  Prediction result;
  result.mean.resize(x.rows());
  result.epistemic_variance.resize(x.rows());
  double noise = 0;
  for (Index n = 0; n < theta.rows(); ++n) noise += loss_->noise_variance(log_precision(theta.row(n)));
  result.aleatoric_variance = DoubleVector::Constant(x.rows(), noise / static_cast<double>(theta.rows()));
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> output(scratch->data(), count);
    // Mean and squared deviations, updated particle by particle (Welford): exact even when all agree closely.
    DoubleVector mean = DoubleVector::Zero(count);
    DoubleVector squares = DoubleVector::Zero(count);
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), x.middleRows(begin, count), output);
      const DoubleVector whole = output.cast<double>().array() + offset(theta.row(n));
      const DoubleVector gap = whole - mean;
      mean += gap / static_cast<double>(n + 1);
      squares += gap.cwiseProduct(whole - mean);
    }
    result.mean.segment(begin, count) = mean;
    result.epistemic_variance.segment(begin, count) = squares / static_cast<double>(theta.rows());
  });
  return result;
}

Forecast Regressor::forecast(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch_shape(name_, batch, inputs_);
  Forecast result;
  result.mean.resize(batch.rows());
  result.log_density.resize(batch.rows());
  result.variance.resize(batch.rows());
  double noise = 0;
  for (Index n = 0; n < theta.rows(); ++n) noise += loss_->noise_variance(log_precision(theta.row(n)));
  const auto particles = static_cast<double>(theta.rows());
  for_row_blocks(batch.rows(), [&](Index begin, Index count) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    DoubleVector sum = DoubleVector::Zero(count);
    DoubleVector centre = DoubleVector::Zero(count);  // of the outputs so far, and their squared deviations (Welford)
    DoubleVector squares = DoubleVector::Zero(count);
    Eigen::MatrixXd log_p(count, theta.rows());
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), batch.x.middleRows(begin, count), values);
      const double shift = offset(theta.row(n));
      const DoubleVector output = values.cast<double>().array() + shift;
      sum += output;
      const DoubleVector gap = output - centre;
      centre += gap / static_cast<double>(n + 1);
      squares += gap.cwiseProduct(output - centre);
      values = (batch.y.segment(begin, count).array() - static_cast<Real>(shift)).matrix() - values;
      loss_->evaluate(log_precision(theta.row(n)), values);
      log_p.col(n) = -values.cast<double>();
    }
    result.mean.segment(begin, count) = sum / particles;
    result.variance.segment(begin, count) = (squares / particles).array() + noise / particles;
    log_mean_of_columns(log_p, result.log_density.segment(begin, count));
  });
  return result;
}

DoubleVector Regressor::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch_shape(name_, batch, inputs_);
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    residuals(theta.row(n), batch.middle_rows(begin, count), values);
    loss_->evaluate(log_precision(theta.row(n)), values);
    out = -values.cast<double>();
  });
}

}  // namespace fedstein
