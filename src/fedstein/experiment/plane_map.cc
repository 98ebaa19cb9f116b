// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/plane_map.h"

#include <algorithm>
#include <cmath>

#include "fedstein/config/mapped_cases.h"
#include "fedstein/data/scaling.h"
#include "fedstein/metrics/uncertainty.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kColumns = 4;
constexpr Index kHeaderRows = 2;
// Of the range of the training rows, on every side: enough to show what a method says where it has no data.
constexpr double kMargin = 0.35;
// What single precision leaves of a disagreement between equal predictions.
constexpr double kRoundedNats = 1e-6;

UniformGrid axis_of(double low, double high) {
  const double range = high > low ? high - low : 1;
  return {.low = low - kMargin * range, .high = high + kMargin * range, .cells = kMapCells};
}

// Of a model's row, in the dataset's own units.
double unscaled(const TrialData& data, Index row, Index feature) {
  const double value = data.x(row, feature);
  if (data.scaling.spread.size() == 0) return value;
  return value * data.scaling.spread(feature) + data.scaling.shift(feature);
}

// Labels of two classes are -1 and 1, or 0 and 1.
Index class_at(const TrialData& data, Index row) {
  return std::max<Index>(0, static_cast<Index>(data.y(row)));
}

std::vector<MapPoint> points_of(const TrialData& data, std::optional<Index> only) {
  std::vector<MapPoint> all;
  Index row = 0;
  for (Index agent = 0; agent < static_cast<Index>(data.sizes.size()); ++agent) {
    for (const Index end = row + data.sizes[static_cast<std::size_t>(agent)]; row < end; ++row) {
      if (only && *only != agent) continue;
      all.push_back({unscaled(data, row, 0), unscaled(data, row, 1), class_at(data, row), agent});
    }
  }
  const auto count = static_cast<Index>(all.size());
  if (count <= kMostMapPoints) return all;
  std::vector<MapPoint> out;
  for (Index i = 0; i < kMostMapPoints; ++i) out.push_back(all[static_cast<std::size_t>(i * count / kMostMapPoints)]);
  return out;
}

bool is_share(double value) {
  return value >= 0 && value <= 1;
}

// A whole number from low to high: what a store holds is cast only after this.
bool is_count(double value, double low, double high) {
  return value >= low && value <= high && value == std::floor(value);
}

}  // namespace

bool is_mapped(const Plan& plan, const CasePlan& case_plan) {
  const bool asked = std::any_of(
      plan.figures.begin(), plan.figures.end(), [](const FigurePlan& figure) { return figure.kind == "map"; });
  return asked && draws_maps(case_plan);
}

PlaneMap plane_map(const TrialData& data, const Particles& particles, std::optional<Index> agent) {
  check_argument(data.x.cols() == 2 && data.ranges.are_known(), "plane_map", [&] {
    return "the data have " + std::to_string(data.x.cols()) + " features; a map needs 2";
  });
  const Predictive* model = data.model->predictive();
  check_argument(model != nullptr && data.classes >= 2, "plane_map", "the model predicts no classes");
  PlaneMap map{.x = axis_of(data.ranges.low(0), data.ranges.high(0)),
               .y = axis_of(data.ranges.low(1), data.ranges.high(1)),
               .classes = data.classes};
  Matrix rows = grid_points(map.x, map.y);
  if (data.scaling.spread.size() > 0) apply_scaling(data.scaling, rows);
  EntropyAccumulator particle_by_particle(rows.rows(), map.classes);
  for (Index n = 0; n < particles.rows(); ++n) {
    particle_by_particle.add(model->predict(particles.middleRows(n, 1), rows).probabilities);
  }
  const Matrix mean = particle_by_particle.mean();
  map.probability = (map.classes == 2 ? Vector(mean.col(1)) : Vector(mean.rowwise().maxCoeff())).cast<double>();
  const DoubleVector nats = particle_by_particle.split().epistemic;
  const double most = std::log(static_cast<double>(map.classes));
  map.doubt = (nats.array() > kRoundedNats).select(nats / most, 0).cwiseMin(1);
  map.points = points_of(data, agent);
  return map;
}

Matrix packed(const PlaneMap& map) {
  const Index cells = map.probability.size();
  Matrix out = Matrix::Zero(kHeaderRows + cells + static_cast<Index>(map.points.size()), kColumns);
  const auto write = [&](Index row, std::initializer_list<double> values) {
    Index column = 0;
    for (const double value : values) out(row, column++) = static_cast<Real>(value);
  };
  write(0, {map.x.low, map.x.high, map.y.low, map.y.high});
  write(1, {static_cast<double>(map.x.cells), static_cast<double>(map.y.cells), static_cast<double>(map.classes)});
  for (Index i = 0; i < cells; ++i) write(kHeaderRows + i, {map.probability(i), map.doubt(i)});
  Index row = kHeaderRows + cells;
  for (const MapPoint& point : map.points) {
    write(row++, {point.x, point.y, static_cast<double>(point.label), static_cast<double>(point.agent)});
  }
  return out;
}

std::optional<PlaneMap> unpacked(const Matrix& numbers) {
  if (numbers.rows() < kHeaderRows || numbers.cols() != kColumns || !numbers.allFinite()) return std::nullopt;
  const auto at = [&](Index row, Index column) { return static_cast<double>(numbers(row, column)); };
  constexpr double kMostCells = 1000;
  constexpr double kMostOthers = 1e6;  // classes and agents
  if (!is_count(at(1, 0), 1, kMostCells) || !is_count(at(1, 1), 1, kMostCells)) return std::nullopt;
  if (!is_count(at(1, 2), 2, kMostOthers)) return std::nullopt;
  PlaneMap map{.x = {at(0, 0), at(0, 1), static_cast<Index>(at(1, 0))},
               .y = {at(0, 2), at(0, 3), static_cast<Index>(at(1, 1))},
               .classes = static_cast<Index>(at(1, 2))};
  const Index cells = map.x.cells * map.y.cells;
  if (numbers.rows() < kHeaderRows + cells) return std::nullopt;
  map.probability = numbers.col(0).segment(kHeaderRows, cells).cast<double>();
  map.doubt = numbers.col(1).segment(kHeaderRows, cells).cast<double>();
  for (Index i = 0; i < cells; ++i) {
    if (!is_share(map.probability(i)) || !is_share(map.doubt(i))) return std::nullopt;
  }
  for (Index row = kHeaderRows + cells; row < numbers.rows(); ++row) {
    if (!is_count(at(row, 2), 0, at(1, 2) - 1) || !is_count(at(row, 3), 0, kMostOthers)) return std::nullopt;
    map.points.push_back({at(row, 0), at(row, 1), static_cast<Index>(at(row, 2)), static_cast<Index>(at(row, 3))});
  }
  return map;
}

}  // namespace fedstein
