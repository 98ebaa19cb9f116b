// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "fedstein/config/names.h"
#include "fedstein/config/plan.h"
#include "fedstein/config/table_settings.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

Json to_json_value(const SettingValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json settings_json(const Settings& settings) {
  Json out = Json::object();
  for (const Setting& setting : settings.definitions()) out[setting.key] = to_json_value(settings.at(setting.key));
  return out;
}

Json file_json(const OwnFile& file) {
  const FileLayout& layout = file.layout;
  Json labels = Json::array();
  for (const LabelPair& pair : layout.labels) labels.push_back({pair.from, pair.to});
  return {{"labels", label_kind_name(file.labels)},
          {"format", format_name(layout.format)},
          {"separator", std::string(1, layout.text.separator)},
          {"header", layout.text.header},
          {"ignored_columns", layout.text.ignored_columns},
          {"label_column", layout.label_column},
          {"group_column", layout.group_column},
          {"features", layout.features},
          {"rows_variable", layout.rows_variable},
          {"label_variable", layout.label_variable},
          {"label_map", labels},
          {"label_file", file.label_path}};
}

Json dataset_json(const DatasetPlan& plan) {
  Json out = {{"name", plan.name},
              {"split", plan.standard_split ? "standard" : "random"},
              {"test_fraction", plan.test_fraction},
              {"scaling", plan.standard_scaling ? "standard" : scaling_name(plan.scaling)}};
  if (plan.unseen_class) out["unseen_class"] = *plan.unseen_class;
  if (plan.unseen_group) out["unseen_group"] = *plan.unseen_group;
  if (plan.own_file) out["file"] = file_json(plan.file);
  if (plan.table) out["table"] = schema_toml(*plan.table);
  if (!plan.test_file.empty()) out["test"] = plan.test_file;
  if (plan.contents != 0) out["contents"] = plan.contents;
  if (plan.scaling == ScalingRule::kFixed) {
    const GivenScaling& given = plan.file.scaling;
    out["fixed"] = {{"shift", given.shift},
                    {"spread", given.spread},
                    {"target_shift", given.target_shift},
                    {"target_spread", given.target_spread}};
  }
  return out;
}

Json algorithm_json(const AlgorithmPlan& plan) {
  return {{"label", plan.label},
          {"type", plan.method->name},
          {"rounds", plan.rounds},
          {"scheduler", plan.scheduler.kind},
          {"fraction", plan.scheduler.fraction},
          {"settings", settings_json(plan.settings)}};
}

Json case_json(const CasePlan& plan) {
  Json coordinates = Json::object();
  for (const auto& [key, value] : plan.coordinates) coordinates[key] = value;
  Json methods = Json::array();
  for (const AlgorithmPlan& method : plan.algorithms) methods.push_back(algorithm_json(method));
  return {{"name", plan.name},
          {"coordinates", coordinates},
          {"dataset", dataset_json(plan.dataset)},
          {"partition",
           {{"kind", std::string(partition_name(plan.partition.kind))},
            {"agents", plan.partition.agents},
            {"heavy_share", plan.partition.heavy_share},
            {"classes_per_agent", plan.partition.classes},
            {"dirichlet_alpha", plan.partition.alpha}}},
          {"feature_noise", plan.feature_noise},
          {"validation", {{"share", plan.validation.share}, {"stop", plan.validation.plateau ? "plateau" : "rounds"}}},
          {"model",
           {{"type", plan.model.type},
            {"labels", label_kind_name(plan.model.labels)},
            {"settings", settings_json(plan.model.settings)}}},
          {"evaluation",
           {{"every", plan.evaluation.every},
            {"bins", plan.evaluation.bins},
            {"ksd", plan.evaluation.ksd},
            {"particles", plan.evaluation.particles},
            {"f1", plan.evaluation.f1},
            {"abstention", plan.evaluation.abstention},
            {"unseen", plan.evaluation.unseen},
            {"kl_bandwidths", plan.evaluation.kl_bandwidths}}},
          {"algorithms", methods}};
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json cases = Json::array();
  for (const CasePlan& each : plan.cases) cases.push_back(case_json(each));
  Json figures = Json::array();
  for (const FigurePlan& each : plan.figures) {
    figures.push_back({{"kind", each.kind}, {"title", each.title}, {"metric", each.metric}, {"x", each.x}});
  }
  const Json out = {{"name", plan.name},
                    {"title", plan.title},
                    {"seed", plan.seed},
                    {"trials", plan.trials},
                    {"claims", plan.claims},
                    {"cases", cases},
                    {"figures", figures}};
  return out.dump(2) + "\n";
}

}  // namespace fedstein
