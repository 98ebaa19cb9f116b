// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/details_json.h"

#include <algorithm>

#include "fedstein/base/text.h"
#include "fedstein/experiment/job_details.h"
#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// Of one report, however many methods and cases it has: a point is some thirty bytes.
constexpr std::size_t kMostPoints = 12000;
constexpr std::size_t kFewestPoints = 20;  // of one method

// Numbers of a detail, to the digits that are seen. Anything else in it is dropped.
Json shortened(const Json& value) {
  return value.is_number() ? rounded(value.get<double>(), kDensityDigits) : Json();
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json number_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? Json() : shortened(*found);
}

// [[x, y], ...] of each trial as x and the mean and error of y. Trials with other places than the first are left out.
Json averaged(const std::vector<Json>& trials, const char* x_name, const char* y_name) {
  std::vector<double> places;
  std::vector<std::vector<double>> values;
  for (const Json& trial : trials) {
    std::vector<double> xs;
    std::vector<double> ys;
    if (!trial.is_array()) continue;
    for (const Json& point : trial) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) continue;
      xs.push_back(point[0].get<double>());
      ys.push_back(point[1].get<double>());
    }
    if (places.empty()) places = xs;
    if (xs.empty() || xs != places) continue;
    values.resize(places.size());
    for (std::size_t i = 0; i < ys.size(); ++i) values[i].push_back(ys[i]);
  }
  if (values.empty()) return nullptr;
  Json mean = Json::array();
  Json error = Json::array();
  for (const std::vector<double>& all : values) {
    const Json estimate = estimate_json(estimate_of(all));
    mean.push_back(estimate[0]);
    error.push_back(estimate[1]);
  }
  return {{x_name, places}, {y_name, {{"mean", mean}, {"error", error}}}};
}

Json thinned(const Json& points, std::size_t most) {
  Json out = Json::array();
  const std::size_t count = std::min(points.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& point = points[i * points.size() / count];
    if (!point.is_array() || point.size() != 4) continue;
    out.push_back({shortened(point[0]), shortened(point[1]), shortened(point[2]), shortened(point[3])});
  }
  return out;
}

Json layers_of(const Json& parts) {
  Json out = Json::array();
  for (const Json& part : parts) {
    if (!part.is_object()) continue;
    out.push_back({{"name", text_at(part, "name")},
                   {"parameters", number_at(part, "parameters")},
                   {"spread", number_at(part, "spread")},
                   {"size", number_at(part, "size")}});
  }
  return out;
}

Json coefficients_of(const Json& found) {
  Json rows = Json::array();
  const auto all = found.find("rows");
  for (const Json& row : all == found.end() ? Json::array() : *all) {
    if (!row.is_object()) continue;
    rows.push_back({{"name", text_at(row, "name")},
                    {"outcome", text_at(row, "outcome")},
                    {"mean", number_at(row, "mean")},
                    {"low", number_at(row, "low")},
                    {"high", number_at(row, "high")},
                    {"sd", number_at(row, "sd")},
                    {"above_zero", number_at(row, "above_zero")},
                    {"deviation", number_at(row, "deviation")}});
  }
  return {{"link", text_at(found, "link")},
          {"level", number_at(found, "level")},
          {"of_posterior", found.find("of_posterior") != found.end() && found["of_posterior"] == true},
          {"count", number_at(found, "count")},
          {"particles", number_at(found, "particles")},
          {"distinct", number_at(found, "distinct")},
          {"ksd", number_at(found, "ksd")},
          {"rows", rows}};
}

void put(Json& list, Json entry, std::size_t case_index, const std::string& label) {
  if (entry.is_null()) return;
  entry["case"] = case_index;
  entry["algorithm"] = label;
  list.push_back(std::move(entry));
}

}  // namespace

Json detail_of(const RunStore& store, JobId job, const std::string& name) {
  const std::map<std::string, std::string> details = store.details(job);
  const auto found = details.find(name);
  if (found == details.end() || json_nesting(found->second) > kMostJsonNesting) return nullptr;
  Json json = Json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json() : json;
}

Json estimate_json(const Estimate& estimate) {
  return {rounded(estimate.mean, kMeanDigits), estimate.trials > 1 ? rounded(estimate.error, kErrorDigits) : Json()};
}

DetailsJson details_json(const RunStore& store, const RunResult& result) {
  std::size_t methods = 0;
  for (const CaseResult& case_result : result.cases) methods += case_result.methods.size();
  const std::size_t points = std::max(kFewestPoints, kMostPoints / std::max<std::size_t>(1, methods));
  DetailsJson out;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    for (const MethodResult& method : result.cases[i].methods) {
      std::vector<Json> abstention;
      std::vector<Json> coverage;
      for (const TrialResult& trial : method.trials) {
        abstention.push_back(detail_of(store, trial.job, kAbstentionDetail));
        coverage.push_back(detail_of(store, trial.job, kCoverageDetail));
      }
      put(out.abstention, averaged(abstention, "shares", "accuracy"), i, method.label);
      put(out.coverage, averaged(coverage, "levels", "covered"), i, method.label);
      if (method.trials.empty()) continue;
      const JobId first = method.trials.front().job;
      if (const Json found = detail_of(store, first, kPredictedDetail); found.is_array() && !found.empty()) {
        put(out.predicted, {{"level", kPredictedLevel}, {"points", thinned(found, points)}}, i, method.label);
      }
      if (const Json found = detail_of(store, first, kSpreadDetail); found.is_array() && !found.empty()) {
        put(out.layers, {{"layers", layers_of(found)}}, i, method.label);
      }
      if (const Json found = detail_of(store, first, kCoefficientsDetail); found.is_object()) {
        put(out.coefficients, coefficients_of(found), i, method.label);
      }
    }
  }
  return out;
}

}  // namespace fedstein
