// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/key_lookup.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/mistakes.h"

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

// The text, or the first item of a list, that is none of the setting's choices.
const std::string* wrong_choice(const Setting& setting, const Value& value) {
  if (setting.choices.empty()) return nullptr;
  const auto is_wrong = [&](const Value& one) {
    return one.text() != nullptr &&
           std::find(setting.choices.begin(), setting.choices.end(), *one.text()) == setting.choices.end();
  };
  if (is_wrong(value)) return value.text();
  if (value.list() == nullptr) return nullptr;
  const auto found = std::find_if(value.list()->begin(), value.list()->end(), is_wrong);
  return found == value.list()->end() ? nullptr : found->text();
}

// A number or a truth value that stands in quotes.
bool is_quoted_needlessly(const Setting& setting, const Value& value) {
  if (value.text() == nullptr || std::holds_alternative<std::string>(setting.standard)) return false;
  const std::string& text = *value.text();
  if (std::holds_alternative<bool>(setting.standard)) return text == "true" || text == "false";
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// [algorithm] or [model] and the like, of the types that can be named.
template <typename Types>
bool any_has(const Types& types, const std::string& key) {
  return std::any_of(
      types.begin(), types.end(), [&](const auto& type) { return find_setting(type.settings, key) != nullptr; });
}

// The tables in which a key may stand, what is meant most often first. A method's setting stands in [hyperparameters].
std::vector<std::string> tables_with(const Definitions& definitions, const std::string& key) {
  std::vector<std::string> out;
  if (any_has(definitions.registry().algorithms(), key)) out.emplace_back("hyperparameters");
  if (any_has(definitions.registry().model_types(), key)) out.emplace_back("model");
  for (const TableDefinition& table : definitions.tables()) {
    if (!table.repeated && find_setting(table.keys, key) != nullptr) out.push_back(table.name);
  }
  return out;
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

std::string refusal(const Setting& setting, const Value& value) {
  const std::string* wrong = wrong_choice(setting, value);
  if (wrong != nullptr) {
    const KnownNames how{
        .lead = setting.plurality == Plurality::kList ? "allowed: a list, each item one of " : "allowed: one of ",
        .where_all = kWhereAllKeys};
    return did_you_mean(*wrong, setting.choices, how) + how.lead + names_around(*wrong, setting.choices, how) +
           (setting.plurality == Plurality::kOneOrList ? ", or a list of such" : "");
  }
  const auto* number = std::get_if<double>(&value.data);
  const bool has_point = number != nullptr && *number == std::floor(*number) && std::isfinite(*number) &&
                         std::holds_alternative<Index>(setting.standard);
  return "allowed: " + allowed_text(setting) + (is_quoted_needlessly(setting, value) ? ", without quotes" : "") +
         (has_point ? ", without a decimal point" : "");
}

std::string other_place_of(const Definitions& definitions, const std::string& given) {
  std::string key = given;
  std::vector<std::string> tables = tables_with(definitions, key);
  if (tables.empty() && !word_for(given).empty()) {
    key = word_for(given);
    tables = tables_with(definitions, key);
  }
  if (tables.empty()) return "";
  std::string text = key == given ? "it belongs in " : "it is called " + key + " and belongs in ";
  for (std::size_t i = 0; i < tables.size(); ++i) text += (i == 0 ? "[" : " or [") + tables[i] + "]";
  return text;
}

std::string whole_path_of(const Definitions& definitions, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
  const std::vector<std::string> tables = tables_with(definitions, key);
  return tables.empty() ? "" : tables.front() + "." + key;
}

}  // namespace fedstein
