// SPDX-License-Identifier: Apache-2.0
// What a classifier of two features says of the whole plane: class probabilities and epistemic doubt on a grid, with
// the rows that it was learned from. For figures of the kind `map`.
#pragma once

#include <optional>
#include <vector>

#include "fedstein/config/plan.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/metrics/divergence.h"

namespace fedstein {

// Along either axis.
inline constexpr Index kMapCells = 48;
// More points hide the map: of more training rows these many are shown, evenly spread.
inline constexpr Index kMostMapPoints = 1500;

// A training row, in the dataset's own units.
struct MapPoint {
  double x = 0;
  double y = 0;
  Index label = 0;  // index of its class
  Index agent = 0;
};

struct PlaneMap {
  UniformGrid x = {};
  UniformGrid y = {};
  Index classes = 2;
  // At grid_points(x, y), in the dataset's own units. Of two classes the second one's probability, of more the most
  // probable one's.
  DoubleVector probability = {};
  // The epistemic part of the predictive entropy (metrics/uncertainty.h) as a share of log(classes): 0 where all
  // particles agree, 1 where each is certain of another class.
  DoubleVector doubt = {};
  std::vector<MapPoint> points = {};
};

// Whether a figure of the plan maps a case: it has classes and, as far as the plan knows, two features.
bool is_mapped(const Plan& plan, const CasePlan& case_plan);

// The training rows' range and a margin around it. `agent`: whose rows alone the method has learned from; nothing: all.
// Throws InvalidArgument where the data have not two features, or the model predicts no classes.
PlaneMap plane_map(const TrialData& data, const Particles& particles, std::optional<Index> agent);

// As the run store keeps it: a matrix of four columns. Back: nothing for a matrix that is no map.
Matrix packed(const PlaneMap& map);
std::optional<PlaneMap> unpacked(const Matrix& numbers);

}  // namespace fedstein
