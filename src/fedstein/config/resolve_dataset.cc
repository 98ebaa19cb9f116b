// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <tuple>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/names.h"
#include "fedstein/config/resolve_data.h"
#include "fedstein/data/missing_set.h"
#include "fedstein/data/registry.h"
#include "fedstein/files/access.h"

namespace fedstein {
namespace {

constexpr double kOwnTestFraction = 0.2;
constexpr const char* kKey = "experiment.dataset";

const DatasetInfo* known(const std::string& name) {
  for (const DatasetInfo& info : known_datasets()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

// Asks the disk once for each name.
template <typename Ask>
const std::string& objection_to(const std::string& name, Resolution& resolution, const Ask& ask) {
  const auto [place, fresh] = resolution.data_objections.try_emplace(name);
  if (fresh && resolution.options.check_data) place->second = ask();
  return place->second;
}

Index rows_to_train(const DatasetInfo& info, const DatasetPlan& plan) {
  const double rows = static_cast<double>(info.rows);
  if (!plan.standard_split) return info.rows - std::lround(plan.test_fraction * rows);
  if (info.split == SplitRule::kGiven) return info.train_rows;
  if (info.split == SplitRule::kGroups) return info.rows;  // the groups' sizes are not known yet: a bound
  return info.rows - std::lround(info.test_fraction * rows);
}

// The rule `auto`. Columns of a table are brought to one size, which the usual priors and steps are made for. Pixels
// have one already, and columns that hardly ever differ from 0 must not be blown up.
ScalingRule usual_scaling(const DatasetInfo& info) {
  return info.scaling == ScalingRule::kPixel ? ScalingRule::kPixel : ScalingRule::kStandardise;
}

ScalingRule usual_scaling(const OwnFile& file) {
  if (file.layout.format == FileFormat::kIdx) return ScalingRule::kPixel;
  return file.layout.format == FileFormat::kLeaf ? ScalingRule::kNone : ScalingRule::kStandardise;
}

DatasetFacts facts_of_known(const DatasetInfo& info, DatasetPlan plan) {
  if (plan.standard_split) plan.test_fraction = info.test_fraction;
  if (plan.standard_scaling) plan.scaling = info.scaling;
  DatasetFacts facts{.plan = plan, .labels = info.labels, .features = info.features};
  facts.train_rows = rows_to_train(info, plan);
  const bool binary = info.labels == LabelKind::kBinary;
  facts.classes = binary ? 2 : static_cast<Index>(info.class_counts.size());
  facts.has_groups = has_groups(info);
  return facts;
}

// An agent reads what its operator names. A server that could name a path would make it open any file.
void refuse_paths(const TableView& data, Mistakes& mistakes) {
  const auto refuse = [&](const char* key, const char* option) {
    const Value* given = data.given(key);
    if (given == nullptr) return;
    mistakes.refuse(*given,
                    std::string("data.") + key,
                    std::string("a networked federation's configuration names no file for agents to open; leave it "
                                "out, each agent names its own with ") +
                        option);
  };
  refuse("test", "--test-data FILE");
  refuse("label_file", "--labels FILE");
}

// With a file to test on, all rows of the dataset are trained on.
void check_test_file(const Point& point, const DatasetPlan& plan, Resolution& resolution) {
  if (plan.test_file.empty()) return;
  const Value& test = *TableView(point.document, "data").given("test");
  if (plan.file.layout.format == FileFormat::kIdx) {
    resolution.mistakes.refuse(test, "data.test", "the format idx has no test file; allowed: test_fraction");
  }
  const TableView experiment(point.document, "experiment");
  for (const char* key : {"test_fraction", "unseen_class", "unseen_group"}) {
    const Value* other = experiment.given(key);
    if (other == nullptr) continue;
    resolution.mistakes.refuse(
        *other, std::string("experiment.") + key, "data.test names the rows to test on; leave one of the two out");
  }
}

std::optional<DatasetFacts> facts_of_own(const Point& point,
                                         DatasetPlan plan,
                                         const Value& given,
                                         Resolution& resolution) {
  plan.own_file = true;
  plan.file = resolve_own_file(point, resolution);
  if (TableView(point.document, "experiment").text("scaling") == kAuto) plan.scaling = usual_scaling(plan.file);
  plan.standard_scaling = false;
  plan.standard_split = false;
  const TableView data(point.document, "data");
  if (resolution.options.networked) {
    refuse_paths(data, resolution.mistakes);
  } else {
    plan.test_file = data.text("test");
  }
  for (const auto& [path, value, key] : {std::tuple(plan.name, &given, kKey),
                                         std::tuple(plan.file.label_path, data.given("label_file"), "data.label_file"),
                                         std::tuple(plan.test_file, data.given("test"), "data.test")}) {
    if (path.empty()) continue;
    const std::string& objection = objection_to(path, resolution, [&] { return unreadable_because(path); });
    if (!objection.empty()) resolution.mistakes.refuse(*value, key, objection);
  }
  check_test_file(point, plan, resolution);
  DatasetFacts facts{.plan = plan, .labels = plan.file.labels};
  facts.classes = facts.labels == LabelKind::kBinary ? 2 : 0;
  facts.has_groups = plan.file.layout.group_column >= 0 || plan.file.layout.format == FileFormat::kLeaf;
  if (is_table(plan.file) && !resolve_table(point, facts, resolution)) return {};
  return facts;
}

DatasetFacts facts_of_toy(const TableView& experiment, const ModelType& toy, Resolution& resolution) {
  for (const char* key : {"dataset", "partition", "test_fraction", "scaling"}) {
    const Value* given = experiment.given(key);
    if (given == nullptr) continue;
    resolution.mistakes.refuse(*given,
                               std::string("experiment.") + key,
                               "the model " + toy.name + " brings its data with it, one row per factor; leave it out");
  }
  DatasetFacts facts{.labels = LabelKind::kDensity, .features = 1, .train_rows = toy.factors, .has_groups = true};
  facts.plan.name = toy.name;
  return facts;
}

}  // namespace

const std::string& files_objection(const DatasetInfo& info, Resolution& resolution) {
  return objection_to(
      info.name, resolution, [&] { return missing_set_sentence(info, resolution.options.data_folder); });
}

std::optional<DatasetFacts> resolve_dataset(const Point& point, const ModelType* toy, Resolution& resolution) {
  const TableView experiment(point.document, "experiment");
  if (toy != nullptr) return facts_of_toy(experiment, *toy, resolution);
  if (experiment.is_wrong("dataset")) return {};  // not a text: said already
  const Value* given = experiment.given("dataset");
  if (given == nullptr) {
    resolution.mistakes.add(point.line, kKey, "is missing; only the gaussian-mixture models need none");
    return {};
  }
  DatasetPlan plan{.name = *given->text()};
  plan.standard_split = experiment.given("test_fraction") == nullptr;
  plan.test_fraction = plan.standard_split ? kOwnTestFraction : experiment.number("test_fraction");
  const std::string scaling = experiment.text("scaling");
  const bool by_auto = scaling == kAuto;
  plan.standard_scaling = scaling == kStandardScaling;
  if (!plan.standard_scaling && !by_auto) plan.scaling = scaling_named(scaling);
  if (const DatasetInfo* info = known(plan.name)) {
    if (by_auto) plan.scaling = usual_scaling(*info);
    if (const Value* fixed = experiment.given("scaling"); plan.scaling == ScalingRule::kFixed && fixed != nullptr) {
      resolution.mistakes.refuse(*fixed, "experiment.scaling", "fixed numbers are for a file of your own");
    }
    const std::string& objection = files_objection(*info, resolution);
    if (!objection.empty()) resolution.mistakes.refuse(*given, kKey, objection);
    return facts_of_known(*info, plan);
  }
  if (plan.name.find_first_of("/.") != std::string::npos) return facts_of_own(point, plan, *given, resolution);
  std::vector<std::string> names;
  for (const DatasetInfo& info : known_datasets()) names.push_back(info.name);
  resolution.mistakes.refuse(
      *given,
      kKey,
      "there is no such dataset" + instead_of(plan.name, names, {.where_all = kWhereAllDatasets}) + ", or a path");
  return {};
}

}  // namespace fedstein
