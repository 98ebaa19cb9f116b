// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/curvature/curvature_factor.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

FactorMeasure measure(const Model& model, const Batch& rows, double weight, const Particles& particles) {
  FactorMeasure found{Matrix::Zero(particles.rows(), particles.cols()), {}};
  model.add_likelihood_score(particles, rows, weight, found.score);
  Matrix diagonals = Matrix::Zero(particles.rows(), particles.cols());
  model.gauss_newton()->add_gauss_newton(particles, rows, weight, diagonals);
  // Rounding must not make a slope negative: that would be a factor that grows without end.
  found.curvature = diagonals.colwise().mean().cwiseMax(Real{0});
  return found;
}

}  // namespace

FactorLine FactorLine::zero(Index particles, Index dimension) {
  return {Matrix::Zero(particles, dimension), Matrix::Zero(1, dimension)};
}

FactorLine FactorLine::through(const Matrix& score, const Matrix& path, const Matrix& slope) {
  return {score + path * slope.row(0).asDiagonal(), slope};
}

Matrix FactorLine::at(const Matrix& path) const {
  return intercept - path * slope.row(0).asDiagonal();
}

FactorMeasure measure_factor(const AgentContext& context,
                             const CurvatureOptions& options,
                             const Particles& particles,
                             Index round) {
  const Batch& data = context.data;
  const double weight = 1 / options.temperature;
  if (options.score_rows == 0 || options.score_rows >= data.rows()) {
    return measure(*context.model, data, weight, particles);
  }
  ParticleOptions large = options;
  large.batch = options.score_rows;
  const std::vector<Index> rows = likelihood_of(context, large, round)->rows_of(/*step=*/0);
  const Matrix x = data.x(rows, Eigen::all);
  const Vector y = data.y(rows);
  const double scale = static_cast<double>(data.rows()) / static_cast<double>(rows.size());
  return measure(*context.model, {x, y}, weight * scale, particles);
}

std::vector<Setting> curvature_settings() {
  const CurvatureOptions standard;
  return {
      {.key = "trust",
       .standard = standard.trust,
       .help = "with curvature factors: how far a round may move a coordinate when only other agents' scores support "
               "the move",
       .least = kAboveZero},
      {.key = "score_rows",
       .standard = standard.score_rows,
       .help = "with curvature factors: number of rows on which an agent measures its factor; 0: all",
       .least = 0},
  };
}

CurvatureOptions curvature_options(const Settings& settings) {
  CurvatureOptions options;
  static_cast<ParticleOptions&>(options) = particle_options(settings);
  options.trust = settings.number("trust");
  options.score_rows = settings.integer("score_rows");
  return options;
}

void check_has_gauss_newton(const Model& model) {
  check_argument(
      model.gauss_newton() != nullptr,
      "factor",
      "'curvature' needs the model's Gauss-Newton diagonal, which this model does not know; allowed: 'distilled'");
}

}  // namespace fedstein
