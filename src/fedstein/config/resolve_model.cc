// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"
#include "fedstein/config/paper_defaults.h"
#include "fedstein/config/preset.h"
#include "fedstein/config/resolve.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::vector<std::string> types_for(LabelKind labels, const Registry& registry) {
  std::vector<std::string> names;
  for (const ModelType& type : registry.model_types()) {
    if (std::find(type.labels.begin(), type.labels.end(), labels) != type.labels.end()) names.push_back(type.name);
  }
  return names;
}

void set_given(const Section& section, const ModelType& type, Settings& settings, Resolution& resolution) {
  for (const Entry& entry : section.entries) {
    const Setting* setting = find_setting(type.settings, entry.key);
    const std::string key = "model." + entry.key;
    if (entry.key == "type" || candidates_in_table(resolution.definitions, {}, "model", entry.key).settings.empty())
      continue;
    if (setting == nullptr) {
      resolution.effects.note(entry.value, key, false, "the model is " + type.name + ", which lacks it");
      continue;
    }
    SettingValue value;
    if (accepts(*setting, entry.value) && to_setting(entry.value, *setting, value)) {
      settings.set(entry.key, value);
    } else if (any_accepts(candidates_in_table(resolution.definitions, {}, "model", entry.key), entry.value)) {
      // Another model takes it; what none takes, the first reading has refused.
      resolution.mistakes.refuse(entry.value, key, "allowed: " + allowed_text(*setting));
    }
  }
}

// Keys of the type, once all settings are known: one may make another idle.
void note_idle(const Section& section, const ModelType& type, const Settings& settings, Resolution& resolution) {
  for (const Entry& entry : section.entries) {
    if (find_setting(type.settings, entry.key) == nullptr) continue;
    const std::string why = type.idle ? type.idle(settings, entry.key) : std::string();
    resolution.effects.note(entry.value, "model." + entry.key, why.empty(), why);
  }
}

}  // namespace

std::optional<ModelFacts> resolve_model(const Point& point, const DatasetFacts& facts, Resolution& resolution) {
  const Registry& registry = resolution.definitions.registry();
  const TableView table(point.document, "model", resolution.definitions);
  const Value* given = table.given("type");
  const std::vector<std::string> fitting = types_for(facts.labels, registry);
  const ModelType* chosen =
      given == nullptr ? registry.usual_model_type(facts.labels) : registry.find_model_type(*given->text());
  if (chosen == nullptr) {  // a registry without ours
    resolution.mistakes.add(point.line, "model.type", "is missing; it must be given: " + listed(fitting));
    return {};
  }
  const ModelType& type = *chosen;
  if (std::find(fitting.begin(), fitting.end(), type.name) == fitting.end()) {
    resolution.mistakes.refuse(
        *given,
        "model.type",
        facts.plan.name + " is a " + label_kind_name(facts.labels) + " set; allowed for it: " + listed(fitting));
    return {};
  }
  Settings settings(type.settings);
  if (is_paper(point.document)) apply_paper_defaults(type.name, facts.plan.name, nullptr, settings);
  if (table.section() != nullptr) {
    set_given(*table.section(), type, settings, resolution);
    note_idle(*table.section(), type, settings, resolution);
  }

  ModelFacts out{.plan = {.type = type.name, .labels = facts.labels, .settings = settings, .maker = &type},
                 .instance = nullptr};
  out.shape_known = type.is_toy() || facts.features > 0;
  // The smallest shape that every type takes stands in for one that only the file knows.
  const Index features = std::max<Index>(1, facts.features);
  const Index classes = std::max<Index>(2, facts.classes);
  try {
    out.instance = make_model(out.plan, features, classes);
  } catch (const InvalidArgument& error) {
    resolution.mistakes.add(
        given == nullptr ? point.line : given->line, "model", std::string("fails: ") + error.what());
    return {};
  }
  return out;
}

}  // namespace fedstein
