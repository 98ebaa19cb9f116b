// SPDX-License-Identifier: Apache-2.0
// c-dsvgd against a long run of another sampler: means and spread of logistic regression's posterior, five agents that
// have seen different labels.
#include <gtest/gtest.h>

#include "fedstein/methods/methods.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/stein/svgd.h"
#include "methods/toy_federation.h"
#include "support/hmc.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

DoubleVector deviations(const DoubleMatrix& samples) {
  const DoubleMatrix centred = samples.rowwise() - samples.colwise().mean();
  return (centred.colwise().squaredNorm() / static_cast<double>(samples.rows())).cwiseSqrt().transpose();
}

// The sampler itself, where all is known: two coordinates of deviations 1 and 3, correlation 0.8.
TEST(Hmc, FindsAGaussian) {
  DoubleMatrix covariance(2, 2);
  covariance << 1, 2.4, 2.4, 9;
  const DoubleMatrix precision = covariance.inverse();
  DoubleVector mean(2);
  mean << -1, 2;
  const HmcTarget target{[&](const DoubleVector& x) { return -(x - mean).dot(precision * (x - mean)) / 2; },
                         [&](const DoubleVector& x) { return DoubleVector(-precision * (x - mean)); }};
  const HmcResult found = hmc(target, DoubleVector::Zero(2), {.samples = 20000, .leaps = 15, .step = 0.3});
  EXPECT_GT(found.acceptance, 0.8);
  const DoubleMatrix centred = found.samples.rowwise() - found.samples.colwise().mean();
  EXPECT_LT((found.samples.colwise().mean().transpose() - mean).cwiseQuotient(covariance.diagonal().cwiseSqrt()).norm(),
            0.05);
  EXPECT_LT((centred.transpose() * centred / 20000 - covariance).cwiseAbs().maxCoeff(), 0.5);
}

// n rows of d - 1 features and an intercept; labels of a law with weights of size 1.
struct Rows {
  Rows(Index dimension, Index count)
      : model(dimension - 1, {.prior = LogisticRegression::Prior::kNormal, .intercept = true}),
        x(random_matrix(count, dimension - 1, 1)),
        y(count) {
    const Matrix w = random_matrix(dimension - 1, 1, 5, 0, 1 / std::sqrt(static_cast<double>(dimension - 1)) * 2);
    Rng rng({.seed = 2});
    for (Index i = 0; i < count; ++i) {
      const auto logit = static_cast<double>(x.row(i).dot(w.col(0)));
      y(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
    sort_by_label();
  }
  Batch all() const { return {x, y}; }
  std::vector<Batch> shards() const {
    std::vector<Batch> out;
    const Index each = x.rows() / 5;
    for (Index k = 0; k < 5; ++k) out.push_back(all().middle_rows(each * k, each));
    return out;
  }
  HmcResult sampled(double step) const {
    const HmcTarget target{[&](const DoubleVector& at) { return log_posterior(model, row_of(at), all())(0); },
                           [&](const DoubleVector& at) {
                             Matrix score = Matrix::Zero(1, at.size());
                             model.add_prior_score(row_of(at), 1, score);
                             model.add_likelihood_score(row_of(at), all(), 1, score);
                             return DoubleVector(score.row(0).cast<double>());
                           }};
    return hmc(target, DoubleVector::Zero(model.dimension()), {.step = step});
  }
  DoubleMatrix federated(Index particles, Index rounds) const {
    Federation made(methods::c_dsvgd({.particles = particles, .kernel = "rbf"}), model, shards(), {.seed = 1});
    made.run({.rounds = rounds});
    return made.particles().cast<double>();
  }

  // Where SVGD with all data stands still.
  DoubleMatrix centralised(Index particles) const {
    Particles at = random_matrix(particles, model.dimension(), 3);
    const PriorScore prior(model);
    const FullLikelihood loglik(model, all());
    const RbfKernel kernel(Bandwidth::original());
    const PlainStep step(0.02);
    fedstein::svgd(at, {{1, prior}, {1, loglik}}, {.steps = 8000, .kernel = &kernel, .step_rule = &step});
    return at.cast<double>();
  }

  LogisticRegression model;
  Matrix x;
  Vector y;

 private:
  static Matrix row_of(const DoubleVector& at) { return at.cast<Real>().transpose(); }
  void sort_by_label() {
    std::vector<Index> order;
    for (const Real label : {-1.0_r, 1.0_r}) {
      for (Index i = 0; i < y.size(); ++i) {
        if (y(i) == label) order.push_back(i);
      }
    }
    const Matrix x_before = x;
    const Vector y_before = y;
    for (Index i = 0; i < y.size(); ++i) {
      x.row(i) = x_before.row(order[static_cast<std::size_t>(i)]);
      y(i) = y_before(order[static_cast<std::size_t>(i)]);
    }
  }
};

struct Spread {
  Index dimension;
  Index rows;
  Index particles;
  double most_off;   // of a mean, in the posterior's deviations
  double narrowest;  // mean ratio of deviations
  double widest;
};

// SVGD is narrower than the posterior, the more so the more dimensions there are for each particle. What is claimed of
// the federation is that it is where SVGD with all data is, though no agent has both labels but one.
TEST(CDsvgdPosterior, MeansAndSpreadAreThoseOfSvgdWithAllData) {
  for (const Spread& claim : {Spread{6, 200, 8, 0.3, 0.45, 0.6},
                              Spread{6, 200, 50, 0.2, 0.68, 0.82},
                              Spread{20, 400, 8, 0.45, 0.28, 0.42},
                              Spread{20, 400, 50, 0.4, 0.37, 0.5}}) {
    const Rows rows(claim.dimension, claim.rows);
    const HmcResult truth = rows.sampled(0.05);
    ASSERT_GT(truth.acceptance, 0.9);
    const DoubleVector mean = truth.samples.colwise().mean();
    const DoubleVector deviation = deviations(truth.samples);
    const DoubleMatrix at = rows.federated(claim.particles, 100);
    const DoubleMatrix wanted = rows.centralised(claim.particles);
    SCOPED_TRACE(std::to_string(claim.particles) + " particles of dimension " + std::to_string(claim.dimension));
    const DoubleVector off = (at.colwise().mean().transpose() - mean).cwiseQuotient(deviation).cwiseAbs();
    EXPECT_LT(off.maxCoeff(), claim.most_off);
    const double ratio = deviations(at).cwiseQuotient(deviation).mean();
    EXPECT_GT(ratio, claim.narrowest);
    EXPECT_LT(ratio, claim.widest);
    EXPECT_NEAR(ratio, deviations(wanted).cwiseQuotient(deviation).mean(), 0.04);
  }
}

}  // namespace
}  // namespace fedstein
