// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/map_json.h"

#include <cmath>

#include "fedstein/data/registry.h"
#include "fedstein/experiment/plane_map.h"
#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

constexpr int kPointDigits = 4;

// The store's first axis is x, and its second runs fastest; the page reads rows of equal y.
Json thousandths(const DoubleVector& shares, Index x_cells, Index y_cells) {
  Json out = Json::array();
  for (Index j = 0; j < y_cells; ++j) {
    for (Index i = 0; i < x_cells; ++i) out.push_back(std::lround(1000 * shares(i * y_cells + j)));
  }
  return out;
}

Json axis_json(const UniformGrid& axis) {
  return {rounded(axis.low, kMeanDigits), rounded(axis.high, kMeanDigits), axis.cells};
}

Json points_json(const std::vector<MapPoint>& points) {
  Json out = Json::array();
  for (const MapPoint& point : points) {
    out.push_back({rounded(point.x, kPointDigits), rounded(point.y, kPointDigits), point.label, point.agent});
  }
  return out;
}

// Empty where nobody has named them.
Json class_names(const DatasetPlan& plan) {
  if (plan.table) return plan.table->classes;
  return plan.own_file ? std::vector<std::string>() : find_dataset(plan.name).class_names;
}

Json feature_names_of(const DatasetPlan& plan) {
  return plan.table ? feature_names(*plan.table) : std::vector<std::string>();
}

Json one_map(const PlaneMap& map, const DatasetPlan& dataset) {
  return {{"x", axis_json(map.x)},
          {"y", axis_json(map.y)},
          {"classes", map.classes},
          {"class_names", class_names(dataset)},
          {"feature_names", feature_names_of(dataset)},
          {"probability", thousandths(map.probability, map.x.cells, map.y.cells)},
          {"doubt", thousandths(map.doubt, map.x.cells, map.y.cells)},
          {"points", points_json(map.points)}};
}

}  // namespace

Json map_json(const RunStore& store, const RunResult& result) {
  Json out = Json::array();
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CasePlan& plan = result.plan.cases[i];
    if (!is_mapped(result.plan, plan)) continue;
    for (const MethodResult& method : result.cases[i].methods) {
      if (method.trials.empty() || method.trials.front().rounds.empty()) continue;
      const TrialResult& trial = method.trials.front();
      const std::optional<Matrix> numbers = store.density(trial.job, trial.rounds.back().round);
      const std::optional<PlaneMap> map = numbers ? unpacked(*numbers) : std::nullopt;
      if (!map) continue;
      Json one = one_map(*map, plan.dataset);
      one["case"] = i;
      one["algorithm"] = method.label;
      one["round"] = trial.rounds.back().round;
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace fedstein
