// SPDX-License-Identifier: Apache-2.0
// The figures of diagnostics.h against closed forms and plain sums.
#include "fedstein/evaluation/diagnostics.h"

#include <gtest/gtest.h>

#include <numbers>

#include "fedstein/evaluation/posterior_grid.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/ksd.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr double kLambda = 0.55;
constexpr double kGridTolerance = 1e-4;  // of midpoint sums against closed forms

double gaussian_kl(double mean, double variance, double other_mean, double other_variance) {
  const double distance = mean - other_mean;
  return 0.5 * (std::log(other_variance / variance) + (variance + distance * distance) / other_variance - 1);
}

// The KDE of one particle c is N(c, lambda^2), so that every figure is known:
//   E_q[L] = sum_i [ 1/2 log(2 pi s) + ((x_i - c)^2 + lambda^2) / (2 s) ],   s the noise variance.
TEST(PosteriorGrid, OfAConjugateGaussianAgreesWithTheClosedForm) {
  constexpr double kMean = 1, kVariance = 1.5, kNoise = 4, kCentre = 0.3;
  const ConjugateGaussian model({DoubleVector::Constant(1, kMean), DoubleMatrix::Constant(1, 1, kVariance)},
                                DoubleMatrix::Constant(1, 1, kNoise));
  const Matrix x{{-1}, {3}, {0.5_r}, {2}};
  const Vector y = Vector::Zero(4);
  for (const double alpha : {1.0, 2.5}) {
    const PosteriorGrid grid(model, {x, y}, {{.low = -14, .high = 14, .cells = 2800}}, alpha);
    double loss = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      const double distance = static_cast<double>(x(i, 0)) - kCentre;
      loss += 0.5 * std::log(2 * std::numbers::pi * kNoise) + (distance * distance + kLambda * kLambda) / (2 * kNoise);
    }
    const DoubleVector log_q = grid.log_kde(Matrix::Constant(1, 1, static_cast<Real>(kCentre)), kLambda);
    const double expected = loss + alpha * gaussian_kl(kCentre, kLambda * kLambda, kMean, kVariance);
    EXPECT_TRUE(close(grid.free_energy(log_q), expected, kGridTolerance)) << "temperature " << alpha;

    const Gaussian posterior = model.posterior(x, alpha);
    const double mean = posterior.mean(0), variance = posterior.covariance(0, 0);
    const KlPair kl = grid.divergence(log_q);
    EXPECT_TRUE(close(kl.forward, gaussian_kl(kCentre, kLambda * kLambda, mean, variance), kGridTolerance));
    EXPECT_TRUE(close(kl.reverse, gaussian_kl(mean, variance, kCentre, kLambda * kLambda), kGridTolerance));
    // q_opt minimises F, and F exceeds that minimum by alpha KL(q || q_opt).
    EXPECT_TRUE(close(grid.divergence(grid.log_posterior()).forward, 0.0));
    EXPECT_TRUE(close(grid.free_energy(log_q) - grid.free_energy(grid.log_posterior()), alpha * kl.forward));
  }
}

// Sum over the cells of eq. main_minimization as it is printed, q normalised over the cells of the support.
double plain_free_energy(const Model& model, const Batch& data, const PosteriorGrid& grid, const DoubleVector& log_q) {
  const DoubleVector log_prior = model.prior_log_density(grid.points());
  const DoubleVector loss = -model.log_likelihood(grid.points(), data);
  double mass = 0, sum = 0;
  for (Index i = 0; i < log_q.size(); ++i) {
    if (std::isfinite(log_prior(i))) mass += std::exp(log_q(i)) * grid.cell_size();
  }
  for (Index i = 0; i < log_q.size(); ++i) {
    if (!std::isfinite(log_prior(i))) continue;
    const double q = std::exp(log_q(i)) / mass;
    sum += q * grid.cell_size() * (loss(i) + std::log(q) - log_prior(i));
  }
  return sum;
}

// What PosteriorGrid says of the particles' KDE.
struct GridFigures {
  GridFigures(const PosteriorGrid& grid, const Particles& particles) {
    const DoubleVector log_q = grid.log_kde(particles, kLambda);
    const KlPair divergence = grid.divergence(log_q);
    free_energy = grid.free_energy(log_q);
    kl = divergence.forward;
    kl_reverse = divergence.reverse;
  }
  double free_energy = 0;
  double kl = 0;
  double kl_reverse = 0;
};

TEST(PosteriorGrid, OfABoundedPriorAreFiniteAndTheReverseDivergenceSeesTheLeak) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  const FactorShards data(model);
  const PosteriorGrid wide(model, data.all(), support_axes(*model.support(), 900, 3));
  const PosteriorGrid tight(model, data.all(), support_axes(*model.support(), 600));
  const Particles particles{{-5.9_r}, {0.2_r}, {2.5_r}, {5.8_r}};
  const GridFigures on_wide(wide, particles);
  const GridFigures on_tight(tight, particles);

  const DoubleVector log_q = wide.log_kde(particles, kLambda);
  const double expected = plain_free_energy(model, data.all(), wide, log_q);
  EXPECT_TRUE(close(on_wide.free_energy, expected, kGridTolerance));
  EXPECT_TRUE(close(on_tight.free_energy, expected, kGridTolerance));
  EXPECT_TRUE(close(on_tight.kl, on_wide.kl, kGridTolerance));
  // KL(q_opt || q) is larger by -log of the share of q inside the support.
  double inside = 0;
  for (Index i = 0; i < log_q.size(); ++i) {
    if (std::abs(wide.points()(i, 0)) < 6) inside += std::exp(log_q(i)) * wide.cell_size();
  }
  ASSERT_LT(inside, 0.95);
  const double leak = on_wide.kl_reverse - on_tight.kl_reverse;
  EXPECT_TRUE(close(leak, -std::log(inside), 1e-3));
}

TEST(PosteriorGrid, OfTheTwoDimensionalToy) {
  const GaussianMixture model = toy_mixture_2d();
  const FactorShards data(model);
  const UniformGrid axis{.low = -8, .high = 8, .cells = 90};
  const PosteriorGrid grid(model, data.all(), {axis, axis});
  const Particles particles = random_matrix(7, 2, 3);
  const GridFigures found(grid, particles);
  const DoubleVector log_q = grid.log_kde(particles, kLambda);
  EXPECT_TRUE(close(found.free_energy, plain_free_energy(model, data.all(), grid, log_q), kGridTolerance));
  EXPECT_GT(found.kl, 0);
  EXPECT_GT(found.kl_reverse, 0);
}

TEST(PosteriorFit, IsTheKsdAgainstPriorAndAllLikelihoods) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards data(model);
  const Particles particles = random_matrix(20, 1, 2);
  constexpr double kAlpha = 0.7;
  PosteriorFit fit(model, data.all(), {.temperature = kAlpha});
  RoundRecord record;
  EXPECT_EQ(fit.on_round(record, particles), Next::kContinue);

  Matrix scores(20, 1);
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, data.all());
  evaluate_terms({{+1, prior}, {1 / kAlpha, likelihood}}, particles, 0, scores);
  EXPECT_TRUE(close(record.figures.at("ksd"), ksd(RbfKernel(), particles, scores)));
  const double ratio = -((particles.array() - particles.mean()) * scores.array()).mean();
  EXPECT_TRUE(close(record.figures.at("spread_ratio"), ratio));
  EXPECT_EQ(record.figures.at("collapsed"), 0);

  // Drawn together near a mode.
  fit.on_round(record, (0.01_r * particles).array() + 1);
  EXPECT_EQ(record.figures.at("collapsed"), 1);
}

TEST(PosteriorFit, DrawnRowsStandForAllOfThem) {
  const ConjugateGaussian model({DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)}, DoubleMatrix::Identity(2, 2));
  const Particles particles = random_matrix(5, 2, 1);
  const Vector y = Vector::Zero(400);
  // Equal rows: any of them say what all say. Rows that differ: a fixed choice that the seed alone makes.
  const Matrix equal = Matrix::Constant(400, 2, 1.5_r);
  const PosteriorFit all(model, {equal, y});
  EXPECT_TRUE(close(PosteriorFit(model, {equal, y}, {.most_rows = 30}).scores(particles), all.scores(particles)));
  const Matrix varied = random_matrix(400, 2, 7);
  const auto scores_of = [&](std::uint64_t seed) {
    return PosteriorFit(model, {varied, y}, {.most_rows = 30, .seed = seed}).scores(particles);
  };
  EXPECT_TRUE(identical(scores_of(1), scores_of(1)));
  EXPECT_FALSE(identical(scores_of(1), scores_of(2)));
}

TEST(Diagnostics, RefuseWhatTheyCannotMeasure) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards data(model);
  const UniformGrid axis{.low = -6, .high = 6, .cells = 10};
  EXPECT_THROW_MESSAGE(PosteriorGrid(model, data.all(), {axis, axis}), InvalidArgument, "2 axes for a model of 1");
  EXPECT_THROW_MESSAGE(PosteriorGrid(model, data.all(), {}), InvalidArgument, "0 axes; a grid has 1 or 2");
  EXPECT_THROW_MESSAGE(PosteriorGrid(model, data.all(), {axis}, 0), InvalidArgument, "temperature");
  const GaussianMixture bounded = toy_mixture_1d(ToyPrior::kUniform);
  const UniformGrid beside{.low = 7, .high = 8, .cells = 10};
  EXPECT_THROW_MESSAGE(PosteriorGrid(bounded, data.all(), {beside}), InvalidArgument, "0 on the whole grid");
  const PosteriorGrid grid(model, data.all(), {axis});
  EXPECT_THROW_MESSAGE(grid.free_energy(DoubleVector::Zero(9)), InvalidArgument, "9 values on a grid of 10");

  EXPECT_THROW_MESSAGE(PosteriorFit(model, data.all(), {.temperature = -1}), InvalidArgument, "temperature");
  EXPECT_THROW_MESSAGE(PosteriorFit(model, data.all(), {.most_rows = 0}), InvalidArgument, "most_rows is 0");
  const Batch none = data.all().middle_rows(0, 0);
  EXPECT_THROW_MESSAGE(PosteriorFit(model, none), InvalidArgument, "no rows");
}

}  // namespace
}  // namespace fedstein
