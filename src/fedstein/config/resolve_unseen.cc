// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/resolve_unseen.h"

#include <algorithm>

#include "fedstein/base/instead_of.h"
#include "fedstein/data/unseen_rows.h"

namespace fedstein {
namespace {

constexpr const char* kUnseenKey = "evaluation.unseen";
constexpr Index kLeastSide = 8;  // of what is taken for an image; tables may have 4, 9 or 16 columns

bool is_image(Index features) {
  return image_side(features) >= kLeastSide;
}

const DatasetInfo* foreign_dataset(const std::string& name) {
  for (const DatasetInfo& info : known_datasets()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

// What can be foreign to rows with so many features; 0: their number is not known yet.
std::vector<std::string> foreign_names(const DatasetFacts& facts) {
  std::vector<std::string> out = unseen_kind_names();
  if (facts.features > 0 && !is_image(facts.features)) std::erase(out, "rotated");
  for (const DatasetInfo& info : known_datasets()) {
    const bool fits = facts.features == 0 || info.features == facts.features;
    if (fits && info.name != facts.plan.name) out.push_back(info.name);
  }
  return out;
}

std::string features_text(const std::string& name, Index features) {
  return name + " has " + std::to_string(features) + " features";
}

// Why the rows of this name cannot be made for the dataset; empty where they can.
std::string unseen_objection(const std::string& name, const DatasetFacts& facts, Resolution& resolution) {
  const std::vector<std::string> names = foreign_names(facts);
  if (const auto kind = unseen_kind(name)) {
    if (*kind != UnseenKind::kRotated || facts.features == 0 || is_image(facts.features)) return "";
    return features_text(facts.plan.name, facts.features) +
           ", and only square images of 8 x 8 or more can be turned; allowed for it: " + listed(names);
  }
  const DatasetInfo* info = foreign_dataset(name);
  if (info == nullptr)
    return "there is no such set of foreign rows" + instead_of(name, names, {.where_all = kWhereAllDatasets});
  if (facts.features > 0 && info->features != facts.features) {
    return features_text(name, info->features) + " and " + features_text(facts.plan.name, facts.features) +
           "; allowed for it: " + listed(names);
  }
  return files_objection(*info, resolution);
}

}  // namespace

void resolve_set_aside(const Point& point, DatasetFacts& facts, Resolution& resolution) {
  const TableView experiment(point.document, "experiment");
  if (const Value* given = experiment.given("unseen_class")) {
    const Index unseen = experiment.integer("unseen_class");
    const bool multiclass = facts.labels == LabelKind::kMulticlass;
    resolution.effects.note(
        *given, "experiment.unseen_class", multiclass, "only a set of three classes or more can do without one");
    if (multiclass && facts.classes > 0 && unseen >= facts.classes) {
      resolution.mistakes.refuse(*given,
                                 "experiment.unseen_class",
                                 facts.plan.name + " has " + std::to_string(facts.classes) +
                                     " classes; allowed: 0 to " + std::to_string(facts.classes - 1));
    } else if (multiclass) {
      facts.plan.unseen_class = unseen;
    }
  }
  if (const Value* given = experiment.given("unseen_group")) {
    const bool grouped = facts.has_groups && facts.labels != LabelKind::kDensity;
    resolution.effects.note(*given, "experiment.unseen_group", grouped, "the rows of the dataset name no groups");
    if (grouped) facts.plan.unseen_group = experiment.integer("unseen_group");
  }
}

DatasetFacts without_unseen_class(DatasetFacts facts) {
  if (!facts.plan.unseen_class) return facts;
  facts.plan.name += " without class " + std::to_string(*facts.plan.unseen_class);
  if (facts.classes > 0) --facts.classes;
  return facts;
}

std::vector<std::string> resolve_unseen(const Point& point, const DatasetFacts& facts, Resolution& resolution) {
  const TableView evaluation(point.document, "evaluation");
  const bool toy = facts.labels == LabelKind::kDensity;
  std::vector<std::string> out;
  for (const Value& each : evaluation.list("unseen")) {
    const std::string& name = *each.text();
    // Cases may be foreign to each other: of the sets that are named for all of them, each leaves its own out.
    const bool own = name == facts.plan.name;
    resolution.effects.note(each,
                            std::string(kUnseenKey) + " '" + shown_text(name) + "'",
                            !toy && !own,
                            toy ? "a gaussian-mixture predicts nothing" : "it is the dataset that is learned from");
    if (toy || own) continue;
    const std::string objection = unseen_objection(name, facts, resolution);
    if (!objection.empty()) {
      resolution.mistakes.refuse(each, kUnseenKey, objection);
    } else if (std::find(out.begin(), out.end(), name) != out.end()) {
      resolution.mistakes.refuse(each, kUnseenKey, "it is listed twice; once is enough");
    } else {
      out.push_back(name);
    }
  }
  return out;
}

}  // namespace fedstein
