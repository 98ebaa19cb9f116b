// SPDX-License-Identifier: Apache-2.0
// The definitions as JSON Schema. Every key that can be written "table.key" has its schema under $defs, for the table
// itself and for sweeps, cases and quick runs alike.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "fedstein/config/definitions.h"
#include "fedstein/config/parse.h"
#include "fedstein/config/server_plan.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

Json plain_value(const SettingValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

// One value, without description and default.
Json single_schema(const Setting& setting) {
  if (std::holds_alternative<bool>(setting.standard)) return {{"type", "boolean"}};
  Json out = Json::object();
  if (std::holds_alternative<std::string>(setting.standard)) {
    out["type"] = "string";
    if (!setting.choices.empty()) out["enum"] = setting.choices;
    if (setting.or_integer)
      return {{"anyOf", {out, {{"type", "integer"}, {"minimum", static_cast<Index>(setting.least)}}}}};
    return out;
  }
  const bool whole = std::holds_alternative<Index>(setting.standard);
  const auto bound = [&](double value) { return whole ? Json(static_cast<Index>(value)) : Json(value); };
  out["type"] = whole ? "integer" : "number";
  if (setting.least == kAboveZero) {
    out["exclusiveMinimum"] = 0;
  } else if (std::isfinite(setting.least)) {
    out["minimum"] = bound(setting.least);
  }
  if (std::isfinite(setting.most)) out["maximum"] = bound(setting.most);
  return out;
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json setting_schema(const Setting& setting) {
  const Json one = single_schema(setting);
  Json out = one;
  if (setting.plurality == Plurality::kList) out = list_of(one);
  if (setting.plurality == Plurality::kOneOrList) out = {{"anyOf", {one, list_of(one)}}};
  out["description"] = setting.help;
  if (setting.when_absent != WhenAbsent::kStandard) return out;
  const bool single = setting.plurality == Plurality::kOne || holds_list(setting);
  out["default"] = single ? plain_value(setting.standard) : Json::array();
  return out;
}

// Where several definitions share a key and differ, any of them will do.
class Union {
 public:
  void add(const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
      std::vector<Json>& seen = schemas_[setting.key];
      const Json schema = setting_schema(setting);
      if (std::find(seen.begin(), seen.end(), schema) == seen.end()) seen.push_back(schema);
    }
  }
  Json properties() const {
    Json out = Json::object();
    for (const auto& [key, seen] : schemas_) out[key] = seen.size() == 1 ? seen.front() : Json{{"anyOf", seen}};
    return out;
  }

 private:
  std::map<std::string, std::vector<Json>> schemas_;
};

Json properties_of(const std::vector<Setting>& settings) {
  Json out = Json::object();
  for (const Setting& setting : settings) out[setting.key] = setting_schema(setting);
  return out;
}

Json required_of(const std::vector<Setting>& settings) {
  Json out = Json::array();
  for (const Setting& setting : settings) {
    if (setting.when_absent == WhenAbsent::kMistake) out.push_back(setting.key);
  }
  return out;
}

Json closed(Json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

// If the type is this one, then these keys and no others.
Json when_type(const std::string& type, Json properties) {
  Json condition = {{"required", {"type"}}};
  condition["properties"]["type"]["const"] = type;
  return {{"if", condition}, {"then", closed(std::move(properties))}};
}

Json algorithm_schema(const Definitions& definitions) {
  const std::vector<Setting>& own = definitions.of("algorithm");
  Json out = {{"type", "object"}, {"required", required_of(own)}, {"properties", properties_of(own)}};
  for (const Algorithm& algorithm : definitions.registry().algorithms()) {
    Json keys = properties_of(own);
    keys["type"] = {{"const", algorithm.name}, {"description", algorithm.summary}};
    for (const Setting& setting : algorithm.settings) keys[setting.key] = setting_schema(setting);
    out["allOf"].push_back(when_type(algorithm.name, std::move(keys)));
  }
  return out;
}

Json model_union(const Definitions& definitions) {
  Union all;
  for (const ModelType& type : definitions.registry().model_types()) all.add(type.settings);
  Json out = all.properties();
  out["type"] = setting_schema(definitions.of("model").front());
  return out;
}

Json model_schema(const Definitions& definitions) {
  Json out = {{"type", "object"}, {"properties", properties_of(definitions.of("model"))}};
  for (const ModelType& type : definitions.registry().model_types()) {
    Json keys = properties_of(type.settings);
    keys["type"] = {{"const", type.name}, {"description", type.summary}};
    out["allOf"].push_back(when_type(type.name, std::move(keys)));
  }
  Json absent;
  absent["not"]["required"] = {"type"};
  out["allOf"].push_back({{"if", absent}, {"then", closed(model_union(definitions))}});
  return out;
}

Json hyperparameters(const Definitions& definitions) {
  Union all;
  for (const Algorithm& algorithm : definitions.registry().algorithms()) all.add(algorithm.settings);
  return all.properties();
}

// "table.key" -> schema, for every table whose keys can be written so.
std::vector<std::pair<std::string, Json>> dotted_keys(const Definitions& definitions) {
  std::vector<std::pair<std::string, Json>> out;
  const auto add = [&](const std::string& table, const Json& properties) {
    for (const auto& [key, schema] : properties.items()) out.emplace_back(table + "." + key, schema);
  };
  for (const char* table : {"experiment", "data", "federation", "evaluation"})
    add(table, properties_of(definitions.of(table)));
  add("model", model_union(definitions));
  add("hyperparameters", hyperparameters(definitions));
  return out;
}

Json reference(const std::string& path) {
  return {{"$ref", "#/$defs/" + path}};
}

// swept: lists of values under the plain path; otherwise values, and lists under "sweep.PATH".
Json overrides_schema(bool swept, const std::vector<std::pair<std::string, Json>>& keys) {
  Json properties = Json::object();
  for (const auto& [path, schema] : keys) {
    if (swept) {
      properties[path] = list_of(reference(path));
    } else {
      properties[path] = reference(path);
      properties["sweep." + path] = list_of(reference(path));
    }
  }
  for (const char* table :
       {"experiment", "data", "model", "federation", "evaluation", "hyperparameters", "algorithm"}) {
    properties[table] = {{"type", "object"}};
  }
  if (!swept) properties["sweep"] = {{"type", "object"}};
  Json out = closed(properties);
  out["patternProperties"]["^(sweep\\.)?algorithm\\."] = Json::object();
  return out;
}

Json table_schema(const Definitions& definitions,
                  const TableDefinition& table,
                  const std::vector<std::pair<std::string, Json>>& keys) {
  if (table.name == "algorithm") return algorithm_schema(definitions);
  if (table.name == "model") return model_schema(definitions);
  if (table.name == "hyperparameters") return closed(hyperparameters(definitions));
  if (table.name == "sweep") return overrides_schema(true, keys);
  if (table.name == "quick" || table.name == "case") {
    Json out = overrides_schema(false, keys);
    if (table.name == "quick") {
      out["properties"]["case"] = {{"type", "object"}};
      out["patternProperties"]["^case\\."] = Json::object();
      return out;
    }
    for (const Setting& setting : table.keys) out["properties"][setting.key] = setting_schema(setting);
    out["required"] = required_of(table.keys);
    return out;
  }
  Json properties = Json::object();
  for (const Setting& setting : table.keys) {
    const bool dotted = table.name != "figure";
    properties[setting.key] = dotted ? reference(table.name + "." + setting.key) : setting_schema(setting);
  }
  Json out = closed(properties);
  out["required"] = required_of(table.keys);
  return out;
}

}  // namespace

std::string configuration_schema(const Registry& registry) {
  const Definitions definitions(registry);
  const std::vector<std::pair<std::string, Json>> keys = dotted_keys(definitions);
  Json tables = Json::object();
  for (const TableDefinition& table : definitions.tables()) {
    Json schema = table_schema(definitions, table, keys);
    if (table.repeated) schema = list_of(schema);
    schema["description"] = table.help;
    tables[table.name] = schema;
  }
  Json server = closed(properties_of(server_settings()));
  server["description"] = "What `fedstein serve` needs besides the experiment.";
  tables["server"] = server;
  Json out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "fedstein experiment"},
              {"description", "A configuration of `fedstein run`; with the table [server], of `fedstein serve`."}};
  out.update(closed(tables));
  out["required"] = {"experiment"};
  for (const auto& [path, schema] : keys) out["$defs"][path] = schema;
  return out.dump(2) + "\n";
}

}  // namespace fedstein
