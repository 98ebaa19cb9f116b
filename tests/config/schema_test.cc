// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config/documents.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/server_plan.h"
#include "fedstein/methods/registry.h"
#include "fedstein/registry/registry.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

Json schema() {
  return Json::parse(configuration_schema());
}

// What an [[algorithm]] of this type may hold.
Json keys_of_type(const Json& table, const std::string& type) {
  for (const Json& branch : table.at("allOf")) {
    const Json& condition = branch.at("if");
    if (condition.contains("properties") && condition["properties"]["type"]["const"] == type) return branch.at("then");
  }
  return {};
}

TEST(Schema, SaysWhichDraftItIsAndRefusesOtherTables) {
  const Json json = schema();
  EXPECT_EQ(json.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(json.at("additionalProperties"), false);
  for (const TableDefinition& table : configuration_tables()) {
    EXPECT_EQ(json.at("properties").at(table.name).at("description"), table.help);
    EXPECT_EQ(json.at("properties").at(table.name).at("type"), table.repeated ? "array" : "object");
  }
}

TEST(Schema, HasEveryMethodWithEverySetting) {
  const Json json = schema();
  const Json& table = json.at("properties").at("algorithm").at("items");
  for (const Algorithm& algorithm : algorithms()) {
    const Json keys = keys_of_type(table, algorithm.name);
    ASSERT_FALSE(keys.is_null()) << algorithm.name;
    EXPECT_EQ(keys.at("additionalProperties"), false);
    for (const Setting& setting : algorithm.settings) {
      EXPECT_EQ(keys.at("properties").at(setting.key).at("description"), setting.help);
    }
  }
  for (const ModelType& type : Registry::standard().model_types()) {
    const Json keys = keys_of_type(json.at("properties").at("model"), type.name);
    ASSERT_FALSE(keys.is_null()) << type.name;
    EXPECT_EQ(keys.at("properties").size(), type.settings.size() + 1);
  }
}

TEST(Schema, GivesTypesRangesChoicesAndDefaults) {
  const Json definitions = schema().at("$defs");
  const Json& rounds = definitions.at("federation.rounds");
  EXPECT_EQ(rounds.at("type"), "integer");
  EXPECT_EQ(rounds.at("minimum"), 1);
  EXPECT_EQ(rounds.at("default"), 100);
  EXPECT_EQ(definitions.at("federation.fraction").at("exclusiveMinimum"), 0);
  EXPECT_THAT(definitions.at("federation.scheduler").at("enum"), testing::Contains("weighted"));
  EXPECT_EQ(definitions.at("experiment.dataset").at("anyOf").size(), 2U);
  EXPECT_EQ(definitions.at("evaluation.kl_bandwidths").at("type"), "array");
  EXPECT_FALSE(definitions.at("experiment.agents").contains("default"));
}

TEST(Schema, DescribesTheServersTable) {
  const Json server = schema().at("properties").at("server");
  EXPECT_EQ(server.at("additionalProperties"), false);
  EXPECT_EQ(server.at("properties").size(), server_settings().size());
  for (const Setting& setting : server_settings()) {
    EXPECT_EQ(server.at("properties").at(setting.key).at("description"), setting.help);
  }
  EXPECT_EQ(server.at("properties").at("agents").at("type"), "array");
  EXPECT_THAT(server.at("properties").at("on_lapse").at("enum"), testing::ElementsAre("wait", "skip"));
  EXPECT_EQ(server.at("properties").at("metrics_port").at("maximum"), 65535);
}

TEST(Schema, EveryReferenceLeadsSomewhere) {
  const Json json = schema();
  int references = 0;
  const std::function<void(const Json&)> visit = [&](const Json& node) {
    if (node.is_object() && node.contains("$ref")) {
      const std::string target = node.at("$ref").get<std::string>();
      ASSERT_EQ(target.rfind("#/$defs/", 0), 0U);
      EXPECT_TRUE(json.at("$defs").contains(target.substr(8))) << target;
      ++references;
    }
    if (node.is_structured()) {
      for (const Json& child : node) visit(child);
    }
  };
  visit(json);
  EXPECT_GT(references, 100);
}

// The documentation is generated from them; an empty line would be a hole in it.
TEST(Definitions, AllHaveHelpAndDefaultsThatTheyAllow) {
  for (const TableDefinition& table : configuration_tables()) {
    EXPECT_FALSE(table.help.empty()) << table.name;
    for (const Setting& setting : table_definitions(table.name)) {
      EXPECT_FALSE(setting.help.empty()) << setting.key;
      if (setting.when_absent != WhenAbsent::kStandard || setting.plurality != Plurality::kOne) continue;
      EXPECT_TRUE(is_allowed(setting, setting.standard)) << table.name << "." << setting.key;
    }
  }
  for (const ModelType& type : Registry::standard().model_types()) {
    for (const Setting& setting : type.settings) EXPECT_TRUE(is_allowed(setting, setting.standard)) << setting.key;
  }
}

}  // namespace
}  // namespace fedstein
