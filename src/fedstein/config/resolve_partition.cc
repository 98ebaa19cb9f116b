// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/config/key_lookup.h"
#include "fedstein/config/resolve_data.h"

namespace fedstein {
namespace {

// Each speaks of some kinds of division only.
void note_kinds(const TableView& experiment, PartitionKind kind, Resolution& resolution) {
  const auto note = [&](const std::string& key, bool has_effect, const std::string& kinds) {
    const Value* given = experiment.given(key);
    if (given == nullptr) return;
    resolution.effects.note(*given, "experiment." + key, has_effect, "it is for the " + kinds + " only");
  };
  note("heavy_share", kind == PartitionKind::kLabelFractions, "partition label-fractions");
  note("classes_per_agent", kind == PartitionKind::kClassesPerAgent, "partition classes-per-agent");
  note("dirichlet_alpha",
       kind == PartitionKind::kDirichlet || kind == PartitionKind::kQuantity,
       "partitions dirichlet and quantity");
}

// Why the partition cannot be had of this dataset, or empty.
std::string kind_objection(const PartitionOptions& options, const DatasetFacts& facts) {
  const std::string set = facts.plan.name + " is a " + label_kind_name(facts.labels) + " set";
  const bool classes = facts.labels == LabelKind::kBinary || facts.labels == LabelKind::kMulticlass;
  switch (options.kind) {
    case PartitionKind::kIid:
    case PartitionKind::kQuantity:
      return "";
    case PartitionKind::kLabelFractions:
      return facts.labels == LabelKind::kBinary ? "" : set + " and label-fractions needs two labels";
    case PartitionKind::kClassesPerAgent:
    case PartitionKind::kDirichlet:
      return classes ? "" : set + ", which has no classes to divide by";
    case PartitionKind::kByGroup:
      return facts.has_groups ? "" : facts.plan.name + " has no groups; by-column needs a set whose rows name one";
  }
  return "";
}

// The same for the number of agents.
std::string agents_objection(const PartitionOptions& options, const DatasetFacts& facts) {
  const Index agents = options.agents;
  const bool grouped = options.kind == PartitionKind::kByGroup;
  if (facts.labels == LabelKind::kDensity) {
    return agents == facts.train_rows ? ""
                                      : facts.plan.name + " has " + std::to_string(facts.train_rows) +
                                            " factors, and one agent for each; leave it out";
  }
  if (agents < 1 && !grouped) return "at least 1 is needed";
  if (facts.train_rows > 0 && agents > facts.train_rows) {
    return facts.plan.name + " has " + std::to_string(facts.train_rows) +
           " rows to train on, and every agent needs one";
  }
  if (options.kind == PartitionKind::kLabelFractions && agents % 2 != 0) {
    return "the partition label-fractions needs an even number";
  }
  if (options.kind == PartitionKind::kClassesPerAgent && facts.classes > 0 &&
      agents * options.classes < facts.classes) {
    return "with " + std::to_string(options.classes) + " classes each they hold fewer than the " +
           std::to_string(facts.classes) + " classes of " + facts.plan.name;
  }
  return "";
}

// Such methods see all rows at one place: how many agents there might be does not matter.
bool all_centralised(const Document& document, const Registry& registry) {
  return std::all_of(document.algorithms.begin(), document.algorithms.end(), [&](const Section& section) {
    const Algorithm* method = method_of(section, registry);
    return method != nullptr && method->centralised;
  });
}

}  // namespace

PartitionOptions resolve_partition(const Point& point, const DatasetFacts& facts, Resolution& resolution) {
  const TableView experiment(point.document, "experiment");
  Mistakes& mistakes = resolution.mistakes;
  const bool toy = facts.labels == LabelKind::kDensity;
  const Value* agents = experiment.given("agents");
  PartitionOptions options{.kind = partition_kind(experiment.text("partition")),
                           .agents = experiment.integer("agents"),
                           .heavy_share = experiment.number("heavy_share"),
                           .classes = experiment.integer("classes_per_agent"),
                           .alpha = experiment.number("dirichlet_alpha")};
  // Agent k has factor k, and not a factor by lot: the rows of a toy are groups of their own.
  if (toy) options.kind = PartitionKind::kByGroup;
  if (toy && agents == nullptr) options.agents = facts.train_rows;
  if (!toy && agents == nullptr && all_centralised(point.document, resolution.definitions.registry()))
    options.agents = 1;
  if (!experiment.is_wrong("partition")) {
    note_kinds(experiment, options.kind, resolution);
  }

  const std::string kind_problem = kind_objection(options, facts);
  if (!kind_problem.empty()) {
    mistakes.refuse(*experiment.given("partition"), "experiment.partition", kind_problem);
    return options;
  }
  const Value* classes = experiment.given("classes_per_agent");
  if (options.kind == PartitionKind::kClassesPerAgent && facts.classes > 0 && options.classes > facts.classes) {
    mistakes.add(classes == nullptr ? point.line : classes->line,
                 "experiment.classes_per_agent",
                 "is " + std::to_string(options.classes) + "; " + facts.plan.name + " has " +
                     std::to_string(facts.classes) + " classes");
  }
  const std::string problem = agents_objection(options, facts);
  if (problem.empty()) return options;
  if (agents != nullptr) {
    mistakes.refuse(*agents, "experiment.agents", problem);
  } else if (!experiment.is_wrong("agents")) {
    mistakes.add(point.line, "experiment.agents", "is missing; the partition needs the number of agents");
  }
  return options;
}

double resolve_feature_noise(const Point& point, bool toy, Resolution& resolution) {
  const TableView experiment(point.document, "experiment");
  const double level = experiment.number("feature_noise");
  const Value* given = experiment.given("feature_noise");
  if (given != nullptr && level > 0) {
    resolution.effects.note(
        *given, "experiment.feature_noise", !toy, "an agent of a gaussian-mixture has no features to disturb");
  }
  return toy ? 0 : level;
}

}  // namespace fedstein
