// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/softmax.h"

#include <cmath>

#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// After it the largest score of every column is 0: no exponential overflows, and one of them is 1.
void subtract_largest(MatrixRef logits) {
  Scratch largest(1, logits.cols());
  largest->row(0) = logits.row(0);
  for (Index c = 1; c < logits.rows(); ++c) largest->row(0) = largest->row(0).cwiseMax(logits.row(c));
  for (Index c = 0; c < logits.rows(); ++c) logits.row(c) -= largest->row(0);
}

}  // namespace

void log_softmax(MatrixRef logits) {
  subtract_largest(logits);
  Scratch sum(1, logits.cols());
  sum->setZero();
  for (Index c = 0; c < logits.rows(); ++c) sum->row(0).array() += logits.row(c).array().exp();
  sum->row(0).array() = sum->row(0).array().log();
  for (Index c = 0; c < logits.rows(); ++c) logits.row(c) -= sum->row(0);
}

void softmax(MatrixRef logits) {
  subtract_largest(logits);
  Scratch sum(1, logits.cols());
  sum->setZero();
  for (Index c = 0; c < logits.rows(); ++c) {
    logits.row(c).array() = logits.row(c).array().exp();
    sum->row(0) += logits.row(c);
  }
  sum->row(0).array() = sum->row(0).array().inverse();
  for (Index c = 0; c < logits.rows(); ++c) logits.row(c).array() *= sum->row(0).array();
}

void bounded_log_softmax(MatrixRef logits) {
  log_softmax(logits);
  logits = logits.cwiseMax(kLeastLogProbability);
}

void bounded_log_softmax_pull(const ConstMatrixRef& pull, MatrixRef logits) {
  log_softmax(logits);
  for (Index i = 0; i < logits.cols(); ++i) {
    Real sum = 0;
    for (Index c = 0; c < logits.rows(); ++c) sum += logits(c, i) > kLeastLogProbability ? pull(c, i) : Real{0};
    for (Index c = 0; c < logits.rows(); ++c) {
      const Real own = logits(c, i) > kLeastLogProbability ? pull(c, i) : Real{0};
      logits(c, i) = own - std::exp(logits(c, i)) * sum;
    }
  }
}

}  // namespace fedstein
