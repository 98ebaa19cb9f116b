// SPDX-License-Identifier: Apache-2.0
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

// A column `c` of these cells beside a label of two classes.
std::string column(const Names& cells) {
  std::string text = "c,y\n";
  for (std::size_t i = 0; i < cells.size(); ++i) text += cells[i] + (i % 2 == 0 ? ",yes\n" : ",no\n");
  return text;
}

TEST(TableFeatures, TextIsOneHotWithoutItsFirstValue) {
  const UnderstoodTable table = understand(column({"red", "blue", "green", "red"}));
  EXPECT_EQ(feature_names(table.schema), (Names{"c=green", "c=red"}));
  EXPECT_TRUE(identical(table.rows.x, Matrix{{0, 1}, {0, 0}, {1, 0}, {0, 1}}));
}

TEST(TableFeatures, NumbersThatAreCodesAreToldAsSuch) {
  const UnderstoodTable table = understand(column({"3", "1", "03", "2.0", "10"}), {.categorical = {"c"}});
  EXPECT_EQ(table.schema.columns[0].categories, (Names{"1", "2.0", "3", "10"}));
  EXPECT_TRUE(identical(table.rows.x.row(2), Matrix{{0, 1, 0}}));
  // Codes of so many digits that two of them are one number.
  EXPECT_EQ(understand(column({"90071992547409921", "90071992547409922", "90071992547409921"}), {.categorical = {"c"}})
                .schema.columns[0]
                .categories.size(),
            2U);
}

TEST(TableFeatures, NamesAndTooManyCategoriesAreRefusedWithAdvice) {
  Names names;
  for (int i = 0; i < 60; ++i) names.push_back("id" + std::to_string(i));
  EXPECT_THAT(refusal(column(names)),
              HasSubstr("column 'c': found text such as 'id0' in line 2, of more than 50 different values in 60 rows; "
                        "too many to learn from; ignore = ['c'] leaves the column out, categorical = ['c'] makes"));
  // A word for a missing number, too often to be a slip of the pen.
  Names ages(20, "unknown");
  for (int i = 0; i < 70; ++i) ages.push_back(std::to_string(i % 60) + ".5");
  EXPECT_THAT(refusal(column(ages)), HasSubstr("most are numbers: write NA where 'unknown' stands for a missing one"));
  names.resize(8);
  EXPECT_THAT(refusal(column(names)), HasSubstr("of 8 different values in 8 rows; too many"));
  EXPECT_EQ(understand(column(names), {.categorical = {"c"}}).rows.x.cols(), 7);
  for (int i = 8; i < 1002; ++i) names.push_back("id" + std::to_string(i));
  EXPECT_THAT(refusal(column(names), {.categorical = {"c"}}), HasSubstr("found more than 1000 different values"));
}

TEST(TableFeatures, DatesAreRefusedWithAdvice) {
  for (const char* date : {"2024-01-31",
                           "31.01.2024",
                           "1/31/2024",
                           "2024-01-31T12:30:01.5Z",
                           "2024-01-31 12:30",
                           "12:30",
                           "2024-01-31 12:30:00+01:00"}) {
    EXPECT_THAT(refusal(column({date, date, date})),
                HasSubstr(std::string("column 'c': found dates or times such as '") + date +
                          "' in line 2; turn them "
                          "into numbers, such as days since a fixed day; ignore = ['c'] leaves the column out"));
  }
  EXPECT_EQ(refusal(column({"10.0.0.1", "10.0.0.2", "10.0.0.1"})), "");  // an address
}

TEST(TableFeatures, AFewOddCellsAmongNumbersAreMistakes) {
  Names cells;
  for (int i = 0; i < 40; ++i) cells.push_back(std::to_string(i * i));
  cells[3] = "unknown";
  EXPECT_THAT(refusal(column(cells)),
              HasSubstr("column 'c': found 'unknown' in line 5; expected a number as in 39 other rows, or a missing"));
  EXPECT_THAT(remarks(understand(column({"1", "2", "3+", "1", "2", "1", "2", "3+"}))),
              HasSubstr("taken as categories, though most of its values are numbers, for the sake of '3+' in line 4"));
}

TEST(TableFeatures, AllThatIsWrongIsSaidAtOnce) {
  const std::string text =
      "id,day,e,y\na1,2024-01-01,,1\na2,2024-01-02,,1\na3,2024-01-02,,1\na4,2024-01-02,,1\n"
      "a5,2024-01-02,,1\na6,2024-01-02,,1\n";
  const std::string all = refusal(text);
  EXPECT_THAT(all, HasSubstr("f: 4 columns cannot be used as they are:\n  column 'id': found text such as"));
  EXPECT_THAT(all, HasSubstr("\n  column 'day': found dates"));
  EXPECT_THAT(all, HasSubstr("\n  column 'e': there is no value in any row; ignore = ['e'] leaves the column out"));
  EXPECT_THAT(all, HasSubstr("\n  the label, column 'y': it is '1' in every row"));
  const UnderstoodTable described = describe_text(text, "f", {});
  EXPECT_EQ(described.problems.size(), 4U);
  EXPECT_EQ(described.columns[1].kind, "date");
  EXPECT_EQ(described.columns[2].missing, 6);
  EXPECT_EQ(described.rows.x.size(), 0);
}

TEST(TableFeatures, WhatWasReadBeforeABadLineIsDescribed) {
  const UnderstoodTable table = describe_text("a,b,y\n1,x,3\n4,z,5\n7\n", "f", {});
  ASSERT_EQ(table.problems.size(), 1U);
  EXPECT_THAT(table.problems[0], HasSubstr("f:4: found 1 column; expected 3"));
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].high, 4);
  EXPECT_EQ(table.records, 2);
}

TEST(TableFeatures, ColumnsThatTeachNothingAreRemarked) {
  const UnderstoodTable table = understand("k,t,id,x,y\n3,a,7,1,0\n3,a,8,5,1\n3,a,9,2,1\n3,a,10,2,1\n3,a,11,4,0\n");
  EXPECT_THAT(remarks(table), HasSubstr("column 'k' is 3 in every row, and teaches nothing\n"));
  EXPECT_THAT(remarks(table), HasSubstr("column 't' is 'a' in every row, and teaches nothing\n"));
  EXPECT_THAT(remarks(table), HasSubstr("column 'id' counts the rows from 7; ignore = ['id'] leaves the column out\n"));
  EXPECT_EQ(feature_names(table.schema), (Names{"k", "id", "x"}));  // one value is no feature
  EXPECT_EQ(table.columns[0].kind, "constant");
  std::string wide = "y";
  for (int i = 0; i < 20; ++i) wide += ",k" + std::to_string(i);
  for (const char* y : {"\n0", "\n1"}) {
    wide += y;
    for (int i = 0; i < 20; ++i) wide += ",5";
  }
  EXPECT_THAT(remarks(understand(wide, {.label = "y"})),
              HasSubstr("the columns 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9', 'k10', 'k11' and 8 "
                        "more are the same in every row"));
}

TEST(TableFeatures, GroupsAreAColumnOfTheirOwn) {
  const UnderstoodTable table = understand("x,site,y\n1,b,0\n2,a,1\n3,b,1\n9,c,0\n", {.group = "site"});
  EXPECT_EQ(table.schema.groups, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.rows.group, (std::vector<Index>{1, 0, 1, 2}));
  EXPECT_EQ(feature_names(table.schema), (Names{"x"}));
  EXPECT_EQ(understand("x,site,y\n1,10,0\n2,9,1\n3,10.0,1\n", {.group = Index{1}}).schema.groups, (Names{"9", "10"}));
  EXPECT_THAT(refusal("x,site,y\n1,b,0\n2,d,1\n", {.group = "site", .groups = {"a", "b"}}),
              HasSubstr("the groups, column 'site': found 'd'; expected one of 'a', 'b'"));
}

TEST(TableFeatures, AmountsAreRefusedWithTheReason) {
  for (const std::string amount : {"$8,879.50", "16%", "1.200 EUR", "\xe2\x82\xac 350"}) {
    const std::string row = "\"" + amount + "\",";
    EXPECT_THAT(refusal("price,y\n" + row + "0\n" + row + "1\n"), HasSubstr("expected plain numbers such as 1234.5"))
        << amount;
  }
  EXPECT_EQ(refusal("room,y\nA12,0\nB12,1\nA12,1\n"), "");
}

TEST(TableFeatures, AgreedColumnsMustFit) {
  const UnderstoodTable ours = understand("a,c,y\n1,red,0\n2,blue,1\n7,red,1\n");
  const TableOptions agreed{.label = "y", .classes = ours.schema.classes, .columns = ours.schema.columns};
  const UnderstoodTable theirs = understand("c,y,a\nblue,1,5\nblue,1,6\n", agreed);
  EXPECT_EQ(theirs.schema, ours.schema);  // whatever the order in the file, and which values occur
  EXPECT_TRUE(identical(theirs.rows.x, Matrix{{5, 0}, {6, 0}}));
  EXPECT_THAT(refusal("c,y\nblue,1\n", agreed), HasSubstr("there is no column 'a'; expected the columns that"));
  EXPECT_THAT(refusal("c,y,a,d\nblue,1,5,6\n", agreed), HasSubstr("nobody has agreed on 'd' (ignore"));
  EXPECT_THAT(refusal("c,y,a\ngreen,1,5\n", agreed),
              HasSubstr("f:2: column 'c': found 'green'; expected one of 'blue', 'red'"));
  EXPECT_THAT(refusal("c,y,a\nblue,1,x\n", agreed), HasSubstr("f:2: column 'a': found 'x'; expected a number"));
  EXPECT_THAT(refusal("5,blue\n", {.header = false, .columns = ours.schema.columns}), HasSubstr("found 1 column"));
}

}  // namespace
}  // namespace fedstein
