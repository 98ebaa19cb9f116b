// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/toy_figures.h"

#include <sstream>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/kde.h"

namespace fedstein {
namespace {

// The toys' mass lies within +-6; a KDE of bandwidth 0.55 leaks little beyond +-8.
constexpr double kReach = 9;
constexpr Index kFineCells1d = 1800;
constexpr Index kFineCells2d = 240;
constexpr Index kDrawnCells1d = 360;
constexpr Index kDrawnCells2d = 72;

std::vector<UniformGrid> axes(const Model& model, Index cells1d, Index cells2d) {
  const Index d = model.dimension();
  check_argument(d == 1 || d == 2, "ToyFigures", [&] {
    return "the model has " + std::to_string(d) + " parameters; a grid has 1 or 2 axes";
  });
  const UniformGrid axis{.low = -kReach, .high = kReach, .cells = d == 1 ? cells1d : cells2d};
  return std::vector<UniformGrid>(static_cast<std::size_t>(d), axis);
}

}  // namespace

std::vector<UniformGrid> divergence_axes(const Model& model) {
  return axes(model, kFineCells1d, kFineCells2d);
}

std::vector<UniformGrid> figure_axes(const Model& model) {
  return axes(model, kDrawnCells1d, kDrawnCells2d);
}

std::string kl_name(double bandwidth) {
  std::ostringstream name;
  name << "kl@" << bandwidth;
  return name.str();
}

ToyFigures::ToyFigures(const Model& model, const Batch& data, const ServerSide& server, std::vector<double> bandwidths)
    : server_(&server), grid_(model, data, divergence_axes(model)), bandwidths_(std::move(bandwidths)) {
  check_argument(!bandwidths_.empty(), "ToyFigures", "no bandwidths; at least 1 is needed");
  for (const double bandwidth : bandwidths_) check_positive("ToyFigures", "bandwidth", bandwidth);
}

Next ToyFigures::on_round(RoundRecord& record, const Particles& particles) {
  const DoubleVector own = server_->log_density(grid_.points());
  for (std::size_t i = 0; i < bandwidths_.size(); ++i) {
    const DoubleVector log_q = own.size() > 0 ? own : grid_.log_kde(particles, bandwidths_[i]);
    const KlPair kl = grid_.divergence(log_q);
    if (i > 0) {
      record.figures[kl_name(bandwidths_[i])] = kl.forward;
      continue;
    }
    record.figures["kl"] = kl.forward;
    record.figures["kl_reverse"] = kl.reverse;
    record.figures["free_energy"] = grid_.free_energy(log_q);
  }
  return Next::kContinue;
}

Matrix drawn_density(const Model& model, const ServerSide& server, const Particles& particles, double bandwidth) {
  const auto axes = figure_axes(model);
  const Matrix points = axes.size() == 1 ? grid_points(axes[0]) : grid_points(axes[0], axes[1]);
  DoubleVector log_q = server.log_density(points);
  if (log_q.size() == 0) log_q = Kde(particles, bandwidth).log_density(points);
  const double cell = axes.size() == 1 ? axes[0].width() : axes[0].width() * axes[1].width();
  const Vector values = (log_q.array() - log_mass(log_q, cell)).exp().cast<Real>();
  const Index columns = axes.size() == 1 ? 1 : axes[1].cells;  // the second coordinate runs fastest
  return Eigen::Map<const Matrix>(values.data(), axes[0].cells, columns);
}

}  // namespace fedstein
