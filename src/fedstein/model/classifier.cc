// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/classifier.h"

#include <utility>

#include "fedstein/model/row_blocks.h"
#include "fedstein/model/softmax.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {

Classifier::Classifier(
    const char* name, Index inputs, Index classes, Labels labels, std::shared_ptr<const ClassificationLoss> loss)
    : name_(name),
      inputs_(inputs),
      classes_(classes),
      labels_(labels),
      loss_(std::move(loss)),
      softmax_loss_(loss_ != nullptr && loss_->is_cross_entropy()) {
  check_argument(inputs >= 1, name, "inputs is " + std::to_string(inputs) + "; it must be at least 1");
  check_argument(classes >= 2, name, "classes is " + std::to_string(classes) + "; it must be at least 2");
  check_argument(labels != Labels::kSigned || classes == 2,
                 name,
                 "labels -1 and 1 need 2 classes, not " + std::to_string(classes));
  check_argument(loss_ != nullptr, name, "loss is null; it must point to a loss");
}

void Classifier::check_batch(const Batch& batch) const {
  check_batch_shape(name_, batch, inputs_);
  check_labels(name_, batch.y, labels_, classes_);
}

void Classifier::check_data(const Batch& batch) const {
  check_batch(batch);
  check_finite(name_, "x", batch.x);
}

void Classifier::to_classes(const ConstVectorRef& y, VectorRef classes) const {
  if (labels_ == Labels::kSigned) {
    classes.array() = (y.array() + 1) / 2;
  } else {
    classes = y;
  }
}

DoubleVector Classifier::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch(batch);
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    Scratch scores(classes_, count);
    Scratch classes(count, 1);
    Scratch losses(count, 1);
    Eigen::Map<Vector> class_values(classes->data(), count);
    Eigen::Map<Vector> loss_values(losses->data(), count);
    to_classes(batch.y.segment(begin, count), class_values);
    logits(theta.row(n), batch.x.middleRows(begin, count), *scores);
    loss_->evaluate(*scores, class_values, loss_values);
    return -loss_values.cast<double>().sum();
  });
}

Prediction Classifier::predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const {
  check_particles(name_, theta, dimension());
  check_columns(name_, "x", x, inputs_);
  Prediction result;
  result.probabilities.resize(x.rows(), classes_);
  result.mean_entropy.resize(x.rows());
  const double share = 1 / static_cast<double>(theta.rows());
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch log_p(classes_, count);
    Scratch p(1, count);
    DoubleMatrix sums = DoubleMatrix::Zero(classes_, count);
    Eigen::RowVectorXd entropy = Eigen::RowVectorXd::Zero(count);
    for (Index n = 0; n < theta.rows(); ++n) {
      logits(theta.row(n), x.middleRows(begin, count), *log_p);
      smooth(x.middleRows(begin, count), *log_p);
      log_softmax(*log_p);
      for (Index c = 0; c < classes_; ++c) {
        p->row(0).array() = log_p->row(c).array().exp();
        sums.row(c) += p->row(0).cast<double>();
        entropy -= p->row(0).cwiseProduct(log_p->row(c)).cast<double>();
      }
    }
    result.probabilities.middleRows(begin, count) = (share * sums).transpose().cast<Real>();
    result.mean_entropy.segment(begin, count) = share * entropy.transpose();
  });
  return result;
}

Forecast Classifier::forecast(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch(batch);
  Forecast result;
  result.probabilities.resize(batch.rows(), classes_);
  result.log_density.resize(batch.rows());
  for_row_blocks(batch.rows(), [&](Index begin, Index count) {
    const auto x = batch.x.middleRows(begin, count);
    Scratch log_p(classes_, count);
    Scratch classes(count, 1);
    Eigen::Map<Vector> class_values(classes->data(), count);
    to_classes(batch.y.segment(begin, count), class_values);
    DoubleMatrix sums = DoubleMatrix::Zero(classes_, count);
    Eigen::MatrixXd of_label(count, theta.rows());
    for (Index n = 0; n < theta.rows(); ++n) {
      logits(theta.row(n), x, *log_p);
      smooth(x, *log_p);
      log_softmax(*log_p);
      for (Index i = 0; i < count; ++i) {
        of_label(i, n) = static_cast<double>((*log_p)(static_cast<Index>(class_values(i)), i));
      }
      sums += log_p->array().exp().matrix().template cast<double>();
    }
    const double share = 1 / static_cast<double>(theta.rows());
    result.probabilities.middleRows(begin, count) = (share * sums).transpose().cast<Real>();
    log_mean_of_columns(of_label, result.log_density.segment(begin, count));
  });
  return result;
}

DoubleVector Classifier::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_batch(batch);
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    Scratch log_p(classes_, count);
    Scratch classes(count, 1);
    Eigen::Map<Vector> class_values(classes->data(), count);
    to_classes(batch.y.segment(begin, count), class_values);
    logits(theta.row(n), batch.x.middleRows(begin, count), *log_p);
    smooth(batch.x.middleRows(begin, count), *log_p);
    log_softmax(*log_p);
    for (Index i = 0; i < count; ++i) {
      out(i) = static_cast<double>((*log_p)(static_cast<Index>(class_values(i)), i));
    }
  });
}

Matrix Classifier::log_probabilities(const ConstRowRef& theta, const ConstMatrixRef& x) const {
  check_particles(name_, theta, dimension());
  check_columns(name_, "x", x, inputs_);
  Matrix out(x.rows(), classes_);
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch log_p(classes_, count);
    logits(theta, x.middleRows(begin, count), *log_p);
    smooth(x.middleRows(begin, count), *log_p);
    log_softmax(*log_p);
    out.middleRows(begin, count) = log_p->transpose();
  });
  return out;
}

}  // namespace fedstein
