// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/resolve.h"

#include "fedstein/config/definitions.h"

namespace fedstein {
namespace {

// A KDE of the toys' particles has this bandwidth in the paper (table:hyperparams).
constexpr double kToyBandwidth = 0.55;

EvaluationPlan resolve_evaluation(const Point& point, bool toy, Resolution& resolution) {
  const TableView evaluation(point.document, "evaluation");
  EvaluationPlan out{.every = evaluation.integer("every"),
                     .bins = evaluation.integer("bins"),
                     .ksd = evaluation.flag("ksd"),
                     .particles = evaluation.text("particles")};
  const Value* bandwidths = evaluation.given("kl_bandwidths");
  if (bandwidths != nullptr) {
    resolution.effects.note(*bandwidths, "evaluation.kl_bandwidths", toy, "only gaussian-mixture models have a KL");
  }
  if (!toy) return out;
  if (bandwidths == nullptr) out.kl_bandwidths = {kToyBandwidth};
  for (const Value& each : evaluation.list("kl_bandwidths")) {
    const auto* integer = std::get_if<Index>(&each.data);
    out.kl_bandwidths.push_back(integer == nullptr ? std::get<double>(each.data) : static_cast<double>(*integer));
  }
  return out;
}

}  // namespace

std::optional<CasePlan> resolve_case(const Point& point, Resolution& resolution) {
  const TableView model_table(point.document, "model");
  const Value* type = model_table.given("type");
  const ModelType* named = type == nullptr ? nullptr : find_model_type(*type->text());
  const ModelType* toy = named != nullptr && named->is_toy() ? named : nullptr;

  const std::optional<DatasetFacts> facts = resolve_dataset(point, toy, resolution);
  if (!facts) return {};
  const bool known_type =
      model_table.section() == nullptr || type != nullptr || find(model_table.section()->entries, "type") == nullptr;
  const TableView data(point.document, "data");
  if (data.section() != nullptr) {
    for (const Entry& entry : data.section()->entries) {
      if (facts->plan.own_file || find_setting(table_definitions("data"), entry.key) == nullptr) continue;
      resolution.effects.note(entry.value, "data." + entry.key, false, "[data] is for a dataset that is a path");
    }
  }
  if (!known_type) return {};
  std::optional<ModelFacts> model = resolve_model(point, *facts, resolution);
  const PartitionOptions partition = resolve_partition(point, *facts, resolution);
  if (!model) return {};
  CasePlan plan{.name = point.name,
                .coordinates = point.coordinates,
                .dataset = facts->plan,
                .partition = partition,
                .model = model->plan,
                .evaluation = resolve_evaluation(point, toy != nullptr, resolution)};
  plan.algorithms = resolve_algorithms(point, *model, plan, resolution);
  return plan;
}

}  // namespace fedstein
