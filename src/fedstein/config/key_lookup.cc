// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/key_lookup.h"

#include <algorithm>

namespace fedstein {
namespace {

void add(const std::vector<Setting>& settings, const std::string& key, Candidates& out) {
  for (const Setting& setting : settings) {
    if (setting.key == key) out.settings.push_back(&setting);
    if (std::find(out.names.begin(), out.names.end(), setting.key) == out.names.end()) out.names.push_back(setting.key);
  }
}

bool accepts_one(const Setting& setting, const Value& value) {
  SettingValue single;
  return to_setting(value, setting, single) && is_allowed(setting, single);
}

}  // namespace

const Algorithm* method_of(const Section& section, const Registry& registry) {
  const Value* type = find(section.entries, "type");
  return type == nullptr || type->text() == nullptr ? nullptr : registry.find_algorithm(*type->text());
}

Candidates candidates_in_table(const Definitions& definitions,
                               const Document& document,
                               const std::string& table,
                               const std::string& key) {
  Candidates out;
  add(definitions.of(table), key, out);
  if (table == "model") {
    for (const ModelType& type : definitions.registry().model_types()) add(type.settings, key, out);
  }
  if (table != "hyperparameters") return out;
  bool all_known = true;
  for (const Section& section : document.algorithms) {
    const Algorithm* method = method_of(section, definitions.registry());
    all_known = all_known && method != nullptr;
    if (method != nullptr) add(method->settings, key, out);
  }
  if (all_known && !document.algorithms.empty()) return out;
  // A method that is not known may well have the setting: one mistake is enough.
  for (const Algorithm& algorithm : definitions.registry().algorithms()) add(algorithm.settings, key, out);
  return out;
}

Candidates candidates_in_algorithm(const Definitions& definitions, const Section& algorithm, const std::string& key) {
  Candidates out;
  add(definitions.of("algorithm"), key, out);
  if (const Algorithm* method = method_of(algorithm, definitions.registry())) {
    add(method->settings, key, out);
  } else {
    for (const Algorithm& each : definitions.registry().algorithms()) add(each.settings, key, out);
  }
  return out;
}

bool accepts(const Setting& setting, const Value& value) {
  if (setting.plurality != Plurality::kList && accepts_one(setting, value)) return true;
  const ValueList* list = value.list();
  if (setting.plurality == Plurality::kOne || list == nullptr) return false;
  if (setting.plurality == Plurality::kOneOrList && list->empty()) return false;
  return std::all_of(list->begin(), list->end(), [&](const Value& item) {
    return item.list() == nullptr && accepts_one(setting, item);
  });
}

bool any_accepts(const Candidates& candidates, const Value& value) {
  return std::any_of(candidates.settings.begin(), candidates.settings.end(), [&](const Setting* setting) {
    return accepts(*setting, value);
  });
}

std::string allowed_text(const Setting& setting) {
  const std::string one = allowed_values(setting);
  if (setting.plurality == Plurality::kList) return "a list, each item " + one;
  return setting.plurality == Plurality::kOne ? one : one + ", or a list of such";
}

}  // namespace fedstein
