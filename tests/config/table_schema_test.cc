// SPDX-License-Identifier: Apache-2.0
// A schema written into [data] and read again is the same schema, whatever its columns are called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/config/table_settings.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TableSchema read_again(const TableSchema& schema) {
  const std::string document = experiment("rows.csv") + schema_toml(schema) +
                               "[model]\ntype = \"bnn-regression\"\n[[algorithm]]\ntype = \"dsvgd\"\n";
  const Plan plan = parsed(document);
  return plan.cases.front().dataset.table.value_or(TableSchema{});
}

TableSchema regression() {
  return {.columns = {{.name = "age"}}, .label = "y", .labels = LabelKind::kRegression};
}

TEST(TableSchemaText, PlainColumnsComeBack) {
  TableSchema schema = regression();
  schema.columns = {{.name = "age", .fill = 0.1 + 0.2, .origin = 0},
                    {.name = "time", .origin = 1.7e9 + 1.0 / 3},
                    {.name = "colour", .categories = {"blue", "red", ""}, .fill = 0}};
  schema.missing = MissingRule::kImpute;
  schema.ignored = {"id", "3"};
  schema.group = "site";
  schema.groups = {"a", "b c", "10"};
  schema.dialect = {.separator = '\t', .decimal = ',', .header = true};
  EXPECT_EQ(read_again(schema), schema);
}

TEST(TableSchemaText, OddNamesComeBack) {
  TableSchema schema = regression();
  schema.columns = {{.name = "a", .categories = {"x", "b=c"}},
                    {.name = "a=b", .categories = {"x", "c"}},
                    {.name = "back\\slash", .fill = 1},
                    {.name = "ends in \\", .categories = {"=", "\\="}},
                    {.name = "say \"hi\"\n\ttwice", .origin = 1e300},
                    {.name = "gr\xc3\xb6\xc3\x9f"
                             "e # 1",
                     .categories = {"'", "[data]"}},
                    {.name = "2019"}};
  schema.missing = MissingRule::kImpute;
  EXPECT_EQ(read_again(schema), schema);
}

TEST(TableSchemaText, TablesWithoutAHeaderComeBack) {
  TableSchema schema = regression();
  schema.dialect.header = false;
  schema.places = {"column 0", "column 1", "column 2"};
  schema.columns = {{.name = "column 0"}, {.name = "column 2"}};
  schema.label = "column 1";
  EXPECT_EQ(read_again(schema), schema);
}

TEST(TableSchemaText, WhatWasUnderstoodComesBack) {
  for (const char* text : {"age,sex,t,y\n20,m,1700000001,1.5\n,f,1700000002,2.5\n40,,1700000009,9\n",
                           "1;2,5;3\n2;3,5;9\n4;5,5;1\n",
                           "a|b|c\n1|x|3\n2|y|9\n3|x|1\n"}) {
    const TableSchema schema = understand_text(text, "f", {.missing = MissingRule::kImpute}).schema;
    EXPECT_EQ(read_again(schema), schema) << schema_toml(schema);
  }
}

TEST(TableSchemaText, PairsThatNameNoColumnAreRefused) {
  const std::string end = "[model]\ntype = \"bnn-regression\"\n[[algorithm]]\ntype = \"dsvgd\"\n";
  const std::string begin =
      experiment("rows.csv") + "[data]\nlabels = \"regression\"\nlabel = \"y\"\ncolumns = [\"a\"]\n";
  EXPECT_THAT(complaints(begin + "fills = [\"b=1\"]\n" + end), HasSubstr("data.fills"));
  EXPECT_THAT(complaints(begin + "fills = [\"a\"]\n" + end), HasSubstr("allowed: COLUMN=VALUE with a column of"));
  EXPECT_THAT(complaints(begin + "fills = [\"a=x\"]\n" + end), HasSubstr("allowed: COLUMN=NUMBER"));
}

}  // namespace
}  // namespace fedstein
