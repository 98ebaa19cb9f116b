// SPDX-License-Identifier: Apache-2.0
// The local loops of DSVGD, as the benchmark's four cases run them, allocate nothing per step.
#include <gtest/gtest.h>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/svgd.h"
#include "model/linear_data.h"
#include "support/allocation_counter.h"

namespace fedstein {
namespace {

constexpr double kBandwidth = 0.55;

long allocations_of_run(const Terms& terms, const Particles& start, Index steps) {
  Particles particles = start;
  const long before = allocations_so_far();
  svgd(particles, terms, {.steps = steps});
  return allocations_so_far() - before;
}

// Tilted steps and those of the paper's distillation: a run of many allocates what a run of few does.
void expect_no_allocation(const Score& likelihood, Index particles, Index dimension, double deviation = 1) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  const ThreadLimit one(1);  // the scheduler's own task objects are its affair, not the loop's
  const Particles start = random_matrix(particles, dimension, 1, 0, deviation);
  const Kde global(start, kBandwidth);
  const Kde local(random_matrix(particles, dimension, 2, 0, deviation), kBandwidth);
  const Kde after(random_matrix(particles, dimension, 3, 0, deviation), kBandwidth);
  const Terms tilted{{+1, global}, {-1, local}, {1, likelihood}};
  const Terms distillation{{+1, after}, {-1, global}, {+1, local}};
  for (const Terms* terms : {&tilted, &distillation}) {
    allocations_of_run(*terms, start, 12);  // warm: scratch grows here
    EXPECT_EQ(allocations_of_run(*terms, start, 2), allocations_of_run(*terms, start, 12));
  }
}

TEST(LocalLoop, LogisticRegressionOnMinibatches) {
  // 12 steps of 100 rows pass the end of an epoch twice.
  const Rows data = signed_rows(500, 54, 4);
  const LogisticRegression model(54);
  const MinibatchLikelihood likelihood(model, data.batch(), 100, StreamId{.seed = 1});
  expect_no_allocation(likelihood, 6, model.dimension());
  expect_no_allocation(likelihood, 40, model.dimension());
}

TEST(LocalLoop, LogisticRegressionOnAllRows) {
  const Rows data = signed_rows(3000, 54, 4);
  const LogisticRegression model(54);
  const FullLikelihood likelihood(model, data.batch());
  expect_no_allocation(likelihood, 6, model.dimension());
}

TEST(LocalLoop, NetworkOnMinibatches) {
  const Rows data = class_rows(500, 196, 10, 5);
  const BnnClassification model({.inputs = 196, .hidden = 100, .classes = 10});
  const MinibatchLikelihood likelihood(model, data.batch(), 100, StreamId{.seed = 1});
  expect_no_allocation(likelihood, 20, model.dimension(), 0.03);
}

// On all rows, in a handful and in many particles; the prior's score and the curvature as well.
void expect_no_allocation_of(const Model& model, const Rows& data) {
  const FullLikelihood all(model, data.batch());
  const MinibatchLikelihood some(model, data.batch(), 100, StreamId{.seed = 1});
  const PriorScore prior(model);
  for (const Index particles : {6, 40}) {
    expect_no_allocation(all, particles, model.dimension(), 0.1);
    expect_no_allocation(some, particles, model.dimension(), 0.1);
    expect_no_allocation(prior, particles, model.dimension(), 0.1);
  }
  if (!can_count_allocations()) return;
  const ThreadLimit one(1);
  const Matrix theta = random_matrix(6, model.dimension(), 1, 0, 0.1);
  Matrix diagonal = Matrix::Zero(6, model.dimension());
  model.gauss_newton()->add_gauss_newton(theta, data.batch(), 1, diagonal);
  const long before = allocations_so_far();
  model.gauss_newton()->add_gauss_newton(theta, data.batch(), 1, diagonal);
  EXPECT_EQ(allocations_so_far(), before);
}

TEST(LocalLoop, LinearRegression) {
  expect_no_allocation_of(LinearRegression({.weights = {.inputs = 20}}), target_rows(3000, 20, 6));
}

TEST(LocalLoop, SoftmaxRegression) {
  expect_no_allocation_of(SoftmaxRegression({.inputs = 20, .classes = 5}), class_rows(3000, 20, 5, 6));
}

TEST(LocalLoop, PoissonRegression) {
  expect_no_allocation_of(PoissonRegression({.inputs = 20}), count_rows(3000, 20, 6));
}

TEST(LocalLoop, NegativeBinomialRegression) {
  expect_no_allocation_of(NegativeBinomialRegression({.weights = {.inputs = 20}}), count_rows(3000, 20, 6));
}

TEST(LocalLoop, Mixture) {
  const auto normal = [](double mean, double variance) {
    return Gaussian{DoubleVector::Constant(1, mean), DoubleMatrix::Identity(1, 1) * variance};
  };
  const GaussianMixture::Factor factor = {{0.5, normal(-3, 1)}, {0.5, normal(3, 2)}};
  const GaussianMixture model(normal(0, 1), std::vector<GaussianMixture::Factor>{factor});
  const Rows data{Matrix::Zero(1, 1), Vector::Zero(1)};
  const FullLikelihood likelihood(model, data.batch());
  expect_no_allocation(likelihood, 200, 1);
}

TEST(LocalLoop, ManyParticlesInManyDimensions) {
  const LogisticRegression model(299);
  const PriorScore prior(model);
  expect_no_allocation(prior, 300, 300);
}

}  // namespace
}  // namespace fedstein
