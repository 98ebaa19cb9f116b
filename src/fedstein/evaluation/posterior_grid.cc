// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/posterior_grid.h"

#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/kde.h"

namespace fedstein {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix points_of(const Model& model, const std::vector<UniformGrid>& axes) {
  check_argument(axes.size() == 1 || axes.size() == 2, "PosteriorGrid", [&] {
    return std::to_string(axes.size()) + " axes; a grid has 1 or 2";
  });
  check_argument(static_cast<Index>(axes.size()) == model.dimension(), "PosteriorGrid", [&] {
    return std::to_string(axes.size()) + " axes for a model of " + std::to_string(model.dimension()) +
           " parameters; it needs one for each";
  });
  return axes.size() == 1 ? grid_points(axes[0]) : grid_points(axes[0], axes[1]);
}

double cell_size_of(const std::vector<UniformGrid>& axes) {
  double size = 1;
  for (const UniformGrid& axis : axes) size *= axis.width();
  return size;
}

}  // namespace

PosteriorGrid::PosteriorGrid(const Model& model,
                             const Batch& data,
                             const std::vector<UniformGrid>& axes,
                             double temperature)
    : temperature_(temperature), points_(points_of(model, axes)) {
  check_positive("PosteriorGrid", "temperature", temperature);
  model.check_data(data);
  cell_size_ = cell_size_of(axes);
  log_posterior_ = fedstein::log_posterior(model, points_, data, temperature);
  log_evidence_ = log_mass(log_posterior_, cell_size_);
  check_argument(
      log_evidence_ > -kInfinity, "PosteriorGrid", "the posterior is 0 on the whole grid; the axes must meet it");
}

DoubleVector PosteriorGrid::log_kde(const Particles& particles, double bandwidth) const {
  return Kde(particles, bandwidth).log_density(points_);
}

DoubleVector PosteriorGrid::restricted(const DoubleVector& log_q) const {
  check_argument(log_q.size() == log_posterior_.size(), "PosteriorGrid", [&] {
    return "a density of " + std::to_string(log_q.size()) + " values on a grid of " +
           std::to_string(log_posterior_.size()) + " points";
  });
  return (log_posterior_.array() > -kInfinity).select(log_q.array(), -kInfinity);
}

double PosteriorGrid::free_energy(const DoubleVector& log_q) const {
  return temperature_ * (kl_on_grid(restricted(log_q), log_posterior_).forward - log_evidence_);
}

KlPair PosteriorGrid::divergence(const DoubleVector& log_q) const {
  const double forward = kl_on_grid(restricted(log_q), log_posterior_).forward;
  return {forward, kl_on_grid(log_q, log_posterior_).reverse};
}

std::vector<UniformGrid> support_axes(const Support& support, Index cells, double margin) {
  check_support("support_axes", support);
  std::vector<UniformGrid> axes;
  for (Index k = 0; k < support.low.size(); ++k) {
    axes.push_back({.low = support.low(k) - margin, .high = support.high(k) + margin, .cells = cells});
  }
  return axes;
}

}  // namespace fedstein
