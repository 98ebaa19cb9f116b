// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/toy_figures.h"

#include <gtest/gtest.h>

#include "fedstein/algorithm/federation.h"
#include "fedstein/evaluation/diagnostics.h"
#include "fedstein/methods/pvi.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/gaussian_mixture.h"

namespace fedstein {
namespace {

struct Toy {
  GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  Matrix x = model.factor_rows();
  Vector y = Vector::Zero(x.rows());
  Batch all() const { return {x, y}; }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 1), all().middle_rows(1, 1)}; }
};

TEST(ToyFigures, OfParticlesAreThoseOfTheirKde) {
  const Toy toy;
  const Algorithm& dsvgd = algorithm_named("dsvgd");
  Federation federation(dsvgd, Settings(dsvgd.settings), toy.model, toy.shards(), {.seed = 1});
  const Particles particles = federation.server().particles();
  ToyFigures figures(toy.model, toy.all(), federation.server(), {0.55, 0.1});
  RoundRecord record;
  figures.on_round(record, particles);
  const PosteriorGrid grid(toy.model, toy.all(), divergence_axes(toy.model));
  EXPECT_DOUBLE_EQ(record.figures.at("kl"), grid.divergence(grid.log_kde(particles, 0.55)).forward);
  EXPECT_DOUBLE_EQ(record.figures.at("kl@0.1"), grid.divergence(grid.log_kde(particles, 0.1)).forward);
}

TEST(ToyFigures, OfAGaussianBeliefAreThoseOfTheGaussian) {
  const Toy toy;
  const Algorithm& pvi = algorithm_named("pvi");
  Federation federation(pvi, Settings(pvi.settings), toy.model, toy.shards(), {.seed = 1});
  const auto* server = dynamic_cast<const PviServer*>(&federation.server());
  ASSERT_NE(server, nullptr);
  const NaturalGaussian q = server->posterior();
  Matrix point(1, 1);
  point(0, 0) = Real(0.7);
  const double away = static_cast<double>(point(0, 0)) - q.mean()(0);
  const double expected = -0.5 * away * away * q.precision(0, 0) + 0.5 * std::log(q.precision(0, 0) / (2 * M_PI));
  EXPECT_NEAR(federation.server().log_density(point)(0), expected, 1e-6);
}

TEST(ToyFigures, ADrawnDensityHasMassOne) {
  const GaussianMixture model = toy_mixture_2d();
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  const Algorithm& svgd = algorithm_named("svgd");
  Federation federation(svgd, Settings(svgd.settings), model, {{x, y}}, {.seed = 1});
  const Matrix density = drawn_density(model, federation.server(), federation.server().particles(), 0.55);
  const auto axes = figure_axes(model);
  EXPECT_EQ(density.rows(), axes[0].cells);
  EXPECT_EQ(density.cols(), axes[1].cells);
  EXPECT_NEAR(static_cast<double>(density.sum()) * axes[0].width() * axes[1].width(), 1, 1e-4);
}

}  // namespace
}  // namespace fedstein
