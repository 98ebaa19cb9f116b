// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/resolve.h"

#include "fedstein/config/definitions.h"
#include "fedstein/config/resolve_unseen.h"

namespace fedstein {
namespace {

// A KDE of the toys' particles has this bandwidth in the paper (table:hyperparams).
constexpr double kToyBandwidth = 0.55;

double as_number(const Value& value) {
  const auto* integer = std::get_if<Index>(&value.data);
  return integer == nullptr ? std::get<double>(value.data) : static_cast<double>(*integer);
}

// What only some kinds of labels have.
void note_label_kinds(const TableView& evaluation, LabelKind labels, Resolution& resolution) {
  const bool binary = labels == LabelKind::kBinary;
  const bool classes = binary || labels == LabelKind::kMulticlass;
  if (const Value* f1 = evaluation.given("f1")) {
    resolution.effects.note(*f1, "evaluation.f1", binary, "only two classes have an F1 score here");
  }
  if (const Value* abstention = evaluation.given("abstention")) {
    resolution.effects.note(*abstention, "evaluation.abstention", classes, "only classes have an accuracy");
  }
}

bool resolve_by_group(const TableView& evaluation, const DatasetFacts& facts, Resolution& resolution) {
  const Value* given = evaluation.given("by_group");
  if (given == nullptr || !evaluation.flag("by_group")) return false;
  const bool grouped = facts.has_groups && facts.labels != LabelKind::kDensity;
  resolution.effects.note(*given, "evaluation.by_group", grouped, "the rows of the dataset name no groups");
  return grouped;
}

EvaluationPlan resolve_evaluation(const Point& point, LabelKind labels, bool toy, Resolution& resolution) {
  const TableView evaluation(point.document, "evaluation");
  EvaluationPlan out{.every = evaluation.integer("every"),
                     .bins = evaluation.integer("bins"),
                     .ksd = evaluation.flag("ksd"),
                     .particles = evaluation.text("particles"),
                     .f1 = evaluation.flag("f1") && labels == LabelKind::kBinary};
  note_label_kinds(evaluation, labels, resolution);
  if (labels == LabelKind::kBinary || labels == LabelKind::kMulticlass) {
    for (const Value& each : evaluation.list("abstention")) out.abstention.push_back(as_number(each));
  }
  const Value* bandwidths = evaluation.given("kl_bandwidths");
  if (bandwidths != nullptr) {
    resolution.effects.note(*bandwidths, "evaluation.kl_bandwidths", toy, "only gaussian-mixture models have a KL");
  }
  if (!toy) return out;
  if (bandwidths == nullptr) out.kl_bandwidths = {kToyBandwidth};
  for (const Value& each : evaluation.list("kl_bandwidths")) out.kl_bandwidths.push_back(as_number(each));
  return out;
}

// What is kept back must be rows that something can be predicted for, and a plateau is one of the figures on them.
ValidationPlan resolve_validation(const Point& point, bool toy, Resolution& resolution) {
  const TableView federation(point.document, "federation");
  ValidationPlan out{.share = federation.number("validation"), .plateau = federation.text("stop") == "plateau"};
  const Value* share = federation.given("validation");
  const Value* stop = federation.given("stop");
  if (share != nullptr && out.share > 0) {
    resolution.effects.note(
        *share, "federation.validation", !toy, "an agent of a gaussian-mixture has no rows to keep back");
  }
  if (toy) out.share = 0;
  if (out.plateau && out.share <= 0 && !federation.is_wrong("validation")) {
    resolution.mistakes.refuse(*stop,
                               "federation.stop",
                               toy ? "a gaussian-mixture has no rows to keep back; allowed for it: rounds"
                                   : "a plateau is judged on rows that agents keep back; set federation.validation, "
                                     "such as 0.1, or stop = \"rounds\"");
  }
  return out;
}

}  // namespace

std::optional<CasePlan> resolve_case(const Point& point, Resolution& resolution) {
  const TableView model_table(point.document, "model", resolution.definitions);
  const Value* type = model_table.given("type");
  const ModelType* named = type == nullptr ? nullptr : resolution.definitions.registry().find_model_type(*type->text());
  const ModelType* toy = named != nullptr && named->is_toy() ? named : nullptr;

  std::optional<DatasetFacts> facts = resolve_dataset(point, toy, resolution);
  if (!facts) return {};
  resolve_set_aside(point, *facts, resolution);
  const TableView data(point.document, "data");
  if (data.section() != nullptr) {
    for (const Entry& entry : data.section()->entries) {
      if (facts->plan.own_file || find_setting(table_definitions("data"), entry.key) == nullptr) continue;
      resolution.effects.note(entry.value, "data." + entry.key, false, "[data] is for a dataset that is a path");
    }
  }
  if (model_table.is_wrong("type")) return {};
  std::optional<ModelFacts> model = resolve_model(point, *facts, resolution);
  const PartitionOptions partition = resolve_partition(point, without_unseen_class(*facts), resolution);
  if (!model) return {};
  CasePlan plan{.name = point.name,
                .coordinates = point.coordinates,
                .dataset = facts->plan,
                .partition = partition,
                .feature_noise = resolve_feature_noise(point, toy != nullptr, resolution),
                .validation = resolve_validation(point, toy != nullptr, resolution),
                .model = model->plan,
                .evaluation = resolve_evaluation(point, model->plan.labels, toy != nullptr, resolution)};
  plan.evaluation.by_group = resolve_by_group(TableView(point.document, "evaluation"), *facts, resolution);
  plan.evaluation.unseen = resolve_unseen(point, *facts, resolution);
  plan.algorithms = resolve_algorithms(point, *model, plan, resolution);
  return plan;
}

}  // namespace fedstein
