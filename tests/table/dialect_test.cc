// SPDX-License-Identifier: Apache-2.0
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const Matrix kRows = Matrix{{Real(1.5), 20}, {Real(2.25), 30}, {4, 50}};

TEST(TableDialect, SeparatorsAreFound) {
  for (const std::string mark : {",", ";", "\t", "|", " "}) {
    std::string text;
    for (const char* row : {"a_b_y\n", "1.5_20_0\n", "2.25_30_1\n", "4_50_1\n"}) text += row;
    for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at)) text.replace(at, 1, mark);
    const UnderstoodTable table = understand(text);
    EXPECT_EQ(table.schema.dialect.separator, mark.front());
    EXPECT_TRUE(identical(table.rows.x, kRows)) << mark;
  }
}

TEST(TableDialect, BlanksCountAsOneAndTextWithBlanksIsNoTable) {
  EXPECT_TRUE(identical(understand("  a b\t  y \n 1.5   20 0\n2.25\t30 1  \n4 50 1\n").rows.x, kRows));
  const UnderstoodTable names = understand("who;ill\nann lee;1\nbob ray;0\nann lee;0\n");
  EXPECT_EQ(names.schema.dialect.separator, ';');
  EXPECT_EQ(names.schema.columns[0].categories, (Names{"ann lee", "bob ray"}));
}

TEST(TableDialect, DecimalCommasAreFoundOrTold) {
  const std::string text = "a;b;y\n1,5;20;0\n2,25;30;1\n4;50;1\n";
  const UnderstoodTable table = understand(text);
  EXPECT_EQ(table.schema.dialect.decimal, ',');
  EXPECT_TRUE(identical(table.rows.x, kRows));
  EXPECT_THAT(remarks(table), HasSubstr("the decimal mark is a comma"));
  EXPECT_TRUE(identical(understand(text, {.decimal = ','}).rows.x, kRows));
  EXPECT_TRUE(identical(understand("a b y\n1,5 20 0\n2,25 30 1\n4 50 1\n").rows.x, kRows));
  EXPECT_EQ(understand("a;b;y\n1.5;20;0\n2.25;30;1\n4;50;1\n").schema.dialect.decimal, '.');
}

TEST(TableDialect, AMarkThatCannotBeIsRefused) {
  EXPECT_THAT(refusal("a,b\n\"1,5\",1\n\"2,5\",0\n"),
              HasSubstr("column 'a': found '1,5' in line 2, with another decimal mark than the table's; write 1.5"));
  EXPECT_THAT(refusal("a;y\n1,5;1\n2,5;0\n", {.decimal = '.'}), HasSubstr("with another decimal mark"));
  EXPECT_THAT(refusal("a,y\n1,5\n", {.separator = ',', .decimal = ','}),
              HasSubstr("the decimal mark is ','; expected a point or a comma, and not the separator"));
  EXPECT_THAT(refusal("a,y\n1,5\n", {.separator = 'x'}), HasSubstr("the separator is 'x'; expected a comma"));
  // Lists of choices, if the user says so.
  EXPECT_EQ(understand("a,y\n\"1,5\",1\n\"2,5\",0\n", {.categorical = {"a"}}).schema.columns[0].categories,
            (Names{"1,5", "2,5"}));
}

TEST(TableDialect, ThousandsAreRefused) {
  EXPECT_THAT(refusal("a,y\n\"1,234.5\",1\n\"22,000.0\",0\n"),
              HasSubstr("found '1,234.5' in line 2; thousands separators are not supported, expected 1234.5"));
  EXPECT_THAT(refusal("a;y\n1.234,5;1\n22.000,5;0\n"), HasSubstr("thousands separators are not supported"));
  EXPECT_THAT(refusal("a,y\n1 234,1\n22 000,0\n"), HasSubstr("thousands separators are not supported"));
  std::string text = "a,y\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i * i) + "," + std::to_string(i % 2) + "\n";
  EXPECT_THAT(refusal(text + "\"1,600\",0\n"),
              HasSubstr("found '1,600' in line 42; expected a number as in 40 other rows, without thousands"));
}

TEST(TableDialect, ASeparatorThatSeparatesNothingIsToldWithTheOneThatDoes) {
  EXPECT_THAT(
      refusal("a\tb\ty\n1\t2\t0\n3\t4\t1\n", {.separator = ','}),
      HasSubstr("f: by the separator ',' there is one column; the columns seem to be separated by tabs: separator "
                "= \"\\t\""));
  EXPECT_THAT(refusal("a;b;y\n1,5;2;0\n3;4;1\n", {.separator = ',', .label = "y"}),
              HasSubstr("semicolons: separator = \";\""));
  EXPECT_THAT(refusal("a\n1\n2\n", {.separator = ';'}), HasSubstr("no column is left to learn from"));
}

// A comma that could be either, where columns are separated by commas.
TEST(TableDialect, WhatMayBeThousandsIsToldSo) {
  EXPECT_THAT(refusal("a,y\n\"1,100\",1\n\"22,000\",0\n"),
              HasSubstr("with another decimal mark than the table's or a thousands separator; write 1.5 and 1500"));
}

TEST(TableDialect, SeparatorsAreNamed) {
  EXPECT_EQ(separator_named("\\t"), '\t');
  EXPECT_EQ(separator_named("\t"), '\t');
  EXPECT_EQ(separator_named("tab"), '\t');
  EXPECT_EQ(separator_named("space"), ' ');
  EXPECT_EQ(separator_named(";"), ';');
  EXPECT_EQ(separator_named("x"), std::nullopt);
  EXPECT_EQ(separator_named(",,"), std::nullopt);
  EXPECT_EQ(separator_named(""), std::nullopt);
}

}  // namespace
}  // namespace fedstein
