// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/case_json.h"

#include <array>

#include "fedstein/base/text.h"
#include "fedstein/experiment/job_details.h"
#include "fedstein/experiment/standing.h"
#include "fedstein/report/details_json.h"
#include "fedstein/report/rounded.h"
#include "fedstein/report/series_json.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 8> kRowCounts = {
    "training", "test", "kept_back", "features", "classes", "agents", "least", "most"};

// served: by `fedstein serve`. Agents with files of their own have what they have.
std::string split_text(const CasePlan& plan, bool served) {
  if (served && plan.dataset.own_file) return "each agent's own rows";
  const PartitionOptions& split = plan.partition;
  const std::string noise =
      plan.feature_noise > 0 ? "; features with noise of level " + digits_text(plan.feature_noise, 3) : "";
  switch (split.kind) {
    case PartitionKind::kIid:
      return "rows at random, equal shares" + noise;
    case PartitionKind::kLabelFractions:
      return "skewed labels: half of the agents share " + digits_text(100 * split.heavy_share, 3) + " % of each class" +
             noise;
    case PartitionKind::kClassesPerAgent:
      return "skewed labels: " + std::to_string(split.classes) + (split.classes == 1 ? " class" : " classes") +
             " an agent" + noise;
    case PartitionKind::kDirichlet:
      return "skewed labels: Dirichlet with alpha " + digits_text(split.alpha, 3) + noise;
    case PartitionKind::kQuantity:
      return "skewed numbers of rows: Dirichlet with alpha " + digits_text(split.alpha, 3) + noise;
    case PartitionKind::kByGroup:
      break;
  }
  if (is_toy(plan.model)) return "one factor of the density an agent";
  return "whole groups of rows to agents" + noise;
}

Json entry_json(const StandingEntry& entry) {
  return {{"algorithm", entry.label}, {"value", estimate_json(entry.value)}};
}

Json standing_json(const CaseResult& case_result) {
  const std::optional<Standing> standing = standing_of(case_result);
  if (!standing) return nullptr;
  Json ranked = Json::array();
  Json beside = Json::array();
  for (const StandingEntry& entry : standing->ranked) ranked.push_back(entry_json(entry));
  for (const StandingEntry& entry : standing->beside) beside.push_back(entry_json(entry));
  return {{"figure", standing->figure},
          {"ranked", ranked},
          {"margin", standing->margin ? estimate_json(*standing->margin) : Json()},
          {"trials", standing->margin ? Json(standing->margin->trials) : Json()},
          {"beside", beside},
          {"left_out", standing->left_out}};
}

// The same for all methods of a trial: of the first one that left it.
Json guess_json(const RunStore& store, const CaseResult& case_result) {
  for (const MethodResult& method : case_result.methods) {
    std::map<std::string, std::vector<double>> values;
    for (const TrialResult& trial : method.trials) {
      const Json guess = detail_of(store, trial.job, kGuessDetail);
      if (!guess.is_object()) continue;
      for (const auto& [name, value] : guess.items()) {
        if (value.is_number()) values[name].push_back(value.get<double>());
      }
    }
    if (values.empty()) continue;
    Json out = Json::object();
    for (const auto& [name, all] : values) out[name] = estimate_json(estimate_of(all));
    return out;
  }
  return nullptr;
}

Json rows_json(const RunStore& store, const CaseResult& case_result) {
  for (const MethodResult& method : case_result.methods) {
    for (const TrialResult& trial : method.trials) {
      const Json found = detail_of(store, trial.job, kRowsDetail);
      Json rows = Json::object();
      for (const char* name : kRowCounts) {
        if (found.is_object() && found.contains(name) && found[name].is_number()) rows[name] = found[name];
      }
      if (rows.size() == kRowCounts.size()) return rows;
    }
  }
  return nullptr;
}

}  // namespace

Json cases_json(const RunStore& store, const RunResult& result) {
  Json out = Json::array();
  const bool served = result.run.facts.command.starts_with("fedstein serve ");
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CasePlan& plan = result.plan.cases[i];
    Json coordinates = Json::array();
    for (const auto& [name, value] : plan.coordinates) coordinates.push_back({name, value});
    out.push_back({{"name", plan.name},
                   {"coordinates", coordinates},
                   {"agents", agents_of(result, i)},
                   {"dataset", plan.dataset.name},
                   {"model", plan.model.type},
                   {"split", split_text(plan, served)},
                   {"rows", rows_json(store, result.cases[i])},
                   {"standing", standing_json(result.cases[i])},
                   {"guess", guess_json(store, result.cases[i])}});
  }
  return out;
}

}  // namespace fedstein
