// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/bnn_classification.h"

#include <cmath>
#include <functional>

#include "fedstein/model/particle_pieces.h"
#include "fedstein/model/softmax.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "BnnClassification";

}  // namespace

BnnClassification::BnnClassification(const Options& options)
    : Classifier(kName, options.inputs, options.classes, options.labels, options.loss),
      net_(kName, options.inputs, options.hidden, options.classes, options.activation),
      prior_(kName, net_, options.prior_precision) {}

void BnnClassification::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  for (Index n = 0; n < particles.rows(); ++n) net_.draw(rng, particles.row(n));
}

DoubleVector BnnClassification::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  return prior_.log_density(theta);
}

void BnnClassification::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  prior_.add_score(theta, weight, grad);
}

void BnnClassification::logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  Scratch active(x.rows(), net_.units());
  net_.forward(theta, x, *active, out);
}

void BnnClassification::add_likelihood_score(const ConstMatrixRef& theta,
                                             const Batch& batch,
                                             double weight,
                                             MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch(batch);
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), grad, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch active(count, net_.units());
    Scratch pull(classes(), count);
    Scratch labels(count, 1);
    Eigen::Map<Vector> label_values(labels->data(), count);
    to_classes(batch.y.segment(first, count), label_values);
    net_.forward(theta.row(n), x, *active, *pull);
    loss().differentiate(label_values, *pull);
    *pull *= static_cast<Real>(-weight);
    net_.backward(theta.row(n), x, *active, *pull, out);
  });
}

void BnnClassification::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  logits(theta, x, out);
  bounded_log_softmax(out);
}

void BnnClassification::add_pull(const ConstRowRef& theta,
                                 const ConstMatrixRef& x,
                                 const ConstMatrixRef& pull,
                                 RowRef grad) const {
  Scratch active(x.rows(), net_.units());
  Scratch out(classes(), x.rows());
  net_.forward(theta, x, *active, *out);
  bounded_log_softmax_pull(pull, *out);
  net_.backward(theta, x, *active, *out, grad);
}

// At the outputs C = diag(p) - p p^T, so that its part at a hidden unit with the weights w is the variance of w under
// p. It is also the sum over classes of p_k (e_k - p) (e_k - p)^T.
void BnnClassification::add_gauss_newton(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef diagonal) const {
  check_score_arguments(kName, theta, dimension(), weight, diagonal);
  check_batch(batch);
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), diagonal, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    const auto w = net_.outer_weights(theta.row(n));
    Scratch active(count, net_.units());
    Scratch p(classes(), count);
    Scratch outer(classes(), count);
    Scratch inner(count, net_.last_units());
    Scratch means(count, net_.last_units());
    net_.forward(theta.row(n), x, *active, *p);
    softmax(*p);
    means->noalias() = p->transpose() * w.transpose();
    inner->noalias() = p->transpose() * w.transpose().cwiseAbs2();
    *inner = static_cast<Real>(weight) * (*inner - means->cwiseAbs2()).cwiseMax(Real{0});
    outer->array() = p->array() * (static_cast<Real>(weight) * (1 - p->array()));
    const auto root = [&](Index k, MatrixRef r) {
      for (Index c = 0; c < classes(); ++c) {
        r.row(c).array() = p->row(k).array().sqrt() * (static_cast<Real>(c == k) - p->row(c).array());
      }
    };
    net_.add_gauss_newton(
        theta.row(n), x, *active, {*outer, *inner, static_cast<Real>(weight), classes(), std::ref(root)}, out);
  });
}

}  // namespace fedstein
