// SPDX-License-Identifier: Apache-2.0
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TEST(TableHeader, NamesAboveNumbersAreFound) {
  const UnderstoodTable table = understand("a,b,y\n1,2,3\n4,5,9\n7,9,1\n");
  EXPECT_TRUE(table.schema.dialect.header);
  EXPECT_EQ(feature_names(table.schema), (Names{"a", "b"}));
  EXPECT_EQ(table.schema.label, "y");
  EXPECT_TRUE(table.schema.places.empty());
}

TEST(TableHeader, RowsOfNumbersHaveNone) {
  const UnderstoodTable table = understand("1,2,0\n4,5,1\n7,9,1\n");
  EXPECT_FALSE(table.schema.dialect.header);
  EXPECT_EQ(table.schema.places, (Names{"column 0", "column 1", "column 2"}));
  EXPECT_EQ(table.rows.x.rows(), 3);
  EXPECT_EQ(table.lines.front(), 1);
}

TEST(TableHeader, MixedRowsHaveNone) {
  const UnderstoodTable table = understand("5.1,3.5,setosa\n4.9,3,virginica\n4,3,setosa\n5,9,virginica\n");
  EXPECT_FALSE(table.schema.dialect.header);
  EXPECT_EQ(table.schema.classes, (Names{"setosa", "virginica"}));
}

TEST(TableHeader, ToldAgainstTheFileIsRefused) {
  EXPECT_THAT(refusal("1,2,0\n4,5,1\n7,9,1\n", {.header = true}),
              HasSubstr("f:1: the first line holds numbers, not names; header = false"));
  EXPECT_THAT(
      refusal("a,b,y\n1,2,0\n4,5,1\n", {.header = false}),
      HasSubstr("f:1: column 0 (from 0): found 'a' above numbers; header = true if the first line holds names"));
  EXPECT_FALSE(understand("1,2,0\n4,5,1\n7,9,1\n", {.header = false}).schema.dialect.header);
  EXPECT_TRUE(understand("a,b,y\n1,2,0\n4,5,1\n", {.header = true}).schema.dialect.header);
}

// A row with words among its numbers: told as names, its values would be the columns' names.
TEST(TableHeader, ARowWithWordsIsNoHeader) {
  const std::string rows = "63,male,82.5,yes\n41,female,60,no\n52,male,75.5,no\n38,female,58,yes\n";
  EXPECT_THAT(
      refusal(rows, {.header = true}),
      HasSubstr("f:1: the first line holds a row, not names: 'male' stands in other rows too, and numbers stand "
                "above numbers; header = false (or name one of them: label = 'yes')"));
  EXPECT_EQ(understand(rows, {.header = true, .label = "yes"}).rows.x.rows(), 3);
  // Names some of which are numbers, as wavelengths are, and words that no row has.
  EXPECT_EQ(understand("400.5,401.2,kind\n1.5,7,a\n2.5,3,b\n9,4,a\n8,1,b\n", {.header = true}).rows.x.rows(), 4);
  // Words alone: a value may have its column's name.
  EXPECT_EQ(understand("colour,ill\ncolour,yes\nblue,no\nblue,yes\n", {.header = true}).rows.x.rows(), 3);
}

TEST(TableHeader, YearsMayBeNames) {
  const std::string mixed = "2019,2020,label\n1.5,7,yes\n2.5,3,no\n9,4,yes\n8,1,no\n";
  const UnderstoodTable table = understand(mixed);
  EXPECT_EQ(feature_names(table.schema), (Names{"2019", "2020"}));
  EXPECT_EQ(table.schema.classes, (Names{"no", "yes"}));
  EXPECT_THAT(remarks(table), HasSubstr("the first line is taken as names, which is a guess"));
  EXPECT_EQ(feature_names(understand("2019,2020,y\n1.5,7,8\n2.5,3,9\n").schema), (Names{"2019", "2020"}));
  EXPECT_EQ(feature_names(understand("2018,2019,2020,2021\n1,7,8,1\n2,3,9,4\n").schema).front(), "2018");
  // pandas, with its index: an empty name, then numbers.
  EXPECT_EQ(feature_names(understand(",0,1,y\n0,1.5,7,8\n1,2.5,3,9\n").schema), (Names{"column 0", "0", "1"}));
  // All of them numbers and none that counts up: the user says so by a name.
  EXPECT_THAT(refusal("10,20,70\n1,7,8\n2,3,9\n", {.header = true}), HasSubstr("label = '70'"));
  EXPECT_EQ(understand("10,20,70\n1,7,8\n2,3,9\n", {.header = true, .label = "70"}).rows.x.rows(), 2);
}

TEST(TableHeader, CountingRowsAreRows) {
  EXPECT_FALSE(understand("1,2,3\n4,5,6\n7,8,10\n").schema.dialect.header);
  EXPECT_FALSE(understand("1,2,a\n3,7,b\n1,9,a\n5,5,b\n").schema.dialect.header);
}

TEST(TableHeader, OnlyTextIsAGuessThatIsTold) {
  const UnderstoodTable named = understand("colour,ill\nred,yes\nblue,no\nred,no\n");
  EXPECT_TRUE(named.schema.dialect.header);
  EXPECT_THAT(remarks(named), HasSubstr("taken as names, which is a guess; header = tells"));
  const UnderstoodTable bare = understand("red,yes\nblue,no\nred,no\n");
  EXPECT_FALSE(bare.schema.dialect.header);
  EXPECT_THAT(remarks(bare), HasSubstr("taken as a row, not as names; header = tells"));
}

TEST(TableHeader, NamesMustBeNames) {
  EXPECT_THAT(refusal("a,a,y\n1,2,3\n2,5,9\n"), HasSubstr("f:1: the names 'a' stand above more than one column"));
  EXPECT_THAT(refusal("a,,y\n1,2,3\n2,5,9\n"), HasSubstr("f:1: 'column 1' have no name; every column needs a name"));
  EXPECT_EQ(understand(",b,y\n1,2,3\n9,5,9\n").schema.columns.front().name, "column 0");
  EXPECT_EQ(understand(" a , b ,y\n1,2,3\n9,5,9\n").schema.columns.front().name, "a");
}

TEST(TableHeader, ColumnsAreFoundByNameAndByNumber) {
  const std::string text = "id,a,3,y\nu1,1,5,2\nu2,4,6,8\nu3,6,7,1\nu4,6,2,1\nu5,1,1,1\nu6,3,3,2\n";
  const UnderstoodTable table = understand(text, {.label = "a", .ignore = {Index{0}, "y"}});
  EXPECT_EQ(feature_names(table.schema), (Names{"3"}));  // a name that is a number
  EXPECT_EQ(table.schema.ignored, (Names{"id", "y"}));
  EXPECT_EQ(understand(text, {.label = Index{1}, .ignore = {"id", Index{3}}}).schema, table.schema);
  EXPECT_THAT(refusal(text, {.ignore = {"idd"}}),
              HasSubstr("ignore: there is no column 'idd'; did you mean 'id'? there are 'id', 'a', '3', 'y'"));
  EXPECT_THAT(refusal(text, {.label = Index{4}}), HasSubstr("label is column 4, counted from 0; the table has 4"));
  EXPECT_THAT(refusal(text, {.label = "a", .ignore = {"a"}}), HasSubstr("'a' is given as ignore and as label"));
}

TEST(TableHeader, NothingToReadIsSaid) {
  EXPECT_THAT(refusal(""), HasSubstr("f: the file is empty; expected data"));
  EXPECT_THAT(refusal("\n  \n# nothing\n"), HasSubstr("f: there is no row; expected at least one"));
  EXPECT_THAT(refusal("a,b\n"), HasSubstr("f: there is no row below the header; expected one at least"));
  EXPECT_THAT(refusal("y\n1\n2\n"), HasSubstr("no column is left to learn from; expected one besides the label"));
}

}  // namespace
}  // namespace fedstein
