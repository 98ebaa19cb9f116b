// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/agreed_table.h"

#include "fedstein/data/error.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// As a federation's charter has it, whatever the dialect that it says.
TableSchema schema() {
  TableSchema out;
  out.columns = {{.name = "age", .fill = 50.0}, {.name = "sex", .categories = {"f", "m"}}};
  out.label = "ill";
  out.classes = {"no", "yes"};
  out.missing = MissingRule::kImpute;
  return out;
}

TableSchema by_places() {
  TableSchema out = schema();
  out.dialect.header = false;
  out.places = {"column 0", "column 1", "column 2"};
  out.columns[0].name = "column 0";
  out.columns[1].name = "column 2";
  out.label = "column 1";
  return out;
}

Dataset read(const std::string& text, const TableSchema& by = schema(), const AgreedTableOptions& options = {}) {
  return parse_agreed_table(text, "f", by, options);
}

TEST(AgreedTable, GivesTheSameRowsInWhateverDialect) {
  const Matrix expected{{20.5, 0, 1}, {50, 1, 0}, {30, 0, 0}};
  const Matrix labels{{1}, {-1}, {1}};
  const std::vector<std::string> same = {"age,sex,ill\n20.5,m,yes\n,f,no\n30,f,yes\n",
                                         "sex;ill;age\nm;yes;20,5\nf;no;NA\nf;yes;30\n",
                                         "\xef\xbb\xbfill\tsex\tage\r\nyes\tm\t20.5\r\nno\tf\t?\r\nyes\tf\t30\r\n"};
  for (const std::string& text : same) {
    const Dataset rows = read(text);
    EXPECT_TRUE(identical(rows.x, Matrix{{20.5, 0, 1}, {50, 1, 0}, {30, 0, 0}})) << text;
    EXPECT_TRUE(identical(rows.y, labels)) << text;
    EXPECT_EQ(rows.classes, 2);
  }
  EXPECT_TRUE(identical(read("20,5;yes;m\n?;no;f\n30;yes;f\n", by_places()).x, expected));
}

TEST(AgreedTable, ClassesMayBeSeveralValuesUnderAnotherName) {
  TableSchema graded = schema();
  graded.classes = {"healthy", "ill"};
  graded.class_values = {{"0"}, {"1", "2"}};
  const Dataset rows = read("age,sex,ill\n20,m,0\n30,f,2.0\n40,f,1\n", graded);
  EXPECT_TRUE(identical(rows.y, Matrix{{-1}, {1}, {1}}));
  EXPECT_EQ(rows.classes, 2);
  EXPECT_THROW_MESSAGE(read("age,sex,ill\n20,m,3\n", graded), DataError, "one of the classes '0', '1', '2'");
  graded.class_values = {{"0"}, {"1", "0"}};
  EXPECT_THROW_MESSAGE(read("age,sex,ill\n20,m,0\n", graded), InvalidArgument, "class_values holds '0' twice");
  graded.class_values = {{"0"}, {}};
  EXPECT_THROW_MESSAGE(read("age,sex,ill\n20,m,0\n", graded), InvalidArgument, "no value for the class 'ill'");
}

TEST(AgreedTable, NamesOfPlacesFindColumnsWhereAFileHasThem) {
  TableSchema named = schema();
  named.dialect.header = false;
  named.places = {"age", "ill", "sex"};
  const Matrix expected{{20, 0, 1}, {30, 0, 0}};
  EXPECT_TRUE(identical(read("20,yes,m\n30,no,f\n", named).x, expected));
  EXPECT_TRUE(identical(read("sex,age,ill\nm,20,yes\nf,30,no\n", named).x, expected));
  EXPECT_THROW_MESSAGE(read("sex,years,ill\nm,20,yes\n", named), DataError, "there is no column 'age'");
}

TEST(AgreedTable, LacksAClassAndAGroupWithoutHarm) {
  TableSchema grouped = schema();
  grouped.group = "hospital";
  grouped.groups = {"a", "b"};
  const Dataset without = read("age,sex,ill\n20,m,yes\n30,m,yes\n", grouped);
  EXPECT_TRUE(identical(without.y, Matrix{{1}, {1}}));
  EXPECT_TRUE(without.group.empty());
  EXPECT_TRUE(identical(read("age,sex,hospital,ill\n20,m,z,yes\n30,m,z,yes\n", grouped).x, without.x));
}

TEST(AgreedTable, LeavesOutWhatItsOwnerNames) {
  const std::string text = "id,age,sex,ill\n7,20,m,yes\n8,30,f,no\n";
  EXPECT_THROW_MESSAGE(read(text), DataError, "f:1: nobody has agreed on 'id' (ignore leaves a column out)");
  EXPECT_EQ(read(text, schema(), {.ignore = {"id"}}).x.rows(), 2);
  EXPECT_THROW_MESSAGE(read(text, schema(), {.ignore = {"age"}}), DataError, "column 'age' is to be ignored");
  // What its owner says of the file is not looked for.
  EXPECT_THROW_MESSAGE(read("age;sex;ill\n20,5;m;yes\n", schema(), {.decimal = '.'}), DataError, "found '20,5'");
}

TEST(AgreedTable, SaysWhatDoesNotFitInOneSentence) {
  EXPECT_THROW_MESSAGE(read("age,gender,ill\n20,m,yes\n"),
                       DataError,
                       "f:1: there is no column 'sex', and nobody has agreed on 'gender' (ignore leaves a column out); "
                       "expected, in any order, the columns that were agreed on, 'age', 'sex', 'ill'");
  EXPECT_THROW_MESSAGE(
      read("age,sex,ill\n20,m,yes\n21,x,no\n"), DataError, "f:3: column 'sex': found 'x'; expected one of 'f', 'm'");
  // Names above each other's columns.
  EXPECT_THROW_MESSAGE(read("sex,age,ill\n20,m,yes\n"), DataError, "f:2: column 'age': found 'm'; expected a number");
  EXPECT_THROW_MESSAGE(read("age,sex,ill\n20,m,perhaps\n"), DataError, "expected one of the classes 'no', 'yes'");
  EXPECT_THROW_MESSAGE(read("age,sex,ill\n20,,yes\n"), DataError, "column 'sex': the value is missing");
  EXPECT_THROW_MESSAGE(read("20,m,yes\n30,f,no\n"), DataError, "f:1: the first line holds no names");
  EXPECT_THROW_MESSAGE(
      read("age,ill,sex\n20,yes,m\n", by_places()), DataError, "columns were agreed on by their places");
  EXPECT_THROW_MESSAGE(read("20,yes\n30,no\n", by_places()), DataError, "f:1: found 2 columns; expected 3");
  EXPECT_THROW_MESSAGE(read("age,age,ill\n20,m,yes\n"), DataError, "'age'");
}

}  // namespace
}  // namespace fedstein
