// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/table_rows.h"

#include "support/pieces.h"
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const char* const kPeople = "age,sex,ill\n20,m,1\n30,f,0\n25,m,1\n";

TableRows rows_of(const std::string& text, const TableSchema& schema, const TableRows::Options& options = {}) {
  return {ByteSource::over(text, "f", kNoByteLimit), schema, options};
}

Matrix all_of(TableRows rows, const TableSchema& schema) {
  std::vector<Real> numbers;
  std::vector<Real> row(static_cast<std::size_t>(feature_count(schema)));
  while (rows.next()) {
    rows.read(row.data());
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  const auto columns = static_cast<Index>(row.size());
  return Eigen::Map<Matrix>(numbers.data(), static_cast<Index>(numbers.size()) / columns, columns);
}

TEST(TableRows, FindColumnsByNameInAnyOrder) {
  const TableSchema schema = understand(kPeople).schema;
  const Matrix expected{{40, 1}, {50, 0}};
  for (const std::string text : {"age,sex\n40,m\n50,f\n",
                                 "sex,age\nm,40\nf,50\n",
                                 "ill,sex,age\n1,m,40\n,f,50\n",
                                 "age;sex\n40;m\n50;f\n",
                                 "age\tsex\n40\tm\n50\tf\n",
                                 "\xef\xbb\xbf"
                                 "age sex\r\n40 m\r\n50  f"}) {
    EXPECT_TRUE(identical(all_of(rows_of(text, schema), schema), expected)) << text;
  }
  EXPECT_TRUE(
      identical(all_of(rows_of("age;sex\n40,5;m\n", schema, {.decimal = ','}), schema), Matrix{{Real(40.5), 1}}));
}

TEST(TableRows, MissingAndExtraColumnsAreNamed) {
  const TableSchema schema = understand(kPeople).schema;
  EXPECT_THROW_MESSAGE(
      rows_of("age\n40\n", schema), DataError, "f:1: there is no column 'sex'; expected, in any order, 'age', 'sex'");
  EXPECT_THROW_MESSAGE(
      rows_of("age,sex,shoe\n40,m,3\n", schema), DataError, "f:1: nobody knows the column 'shoe'; expected");
  EXPECT_THROW_MESSAGE(rows_of("40,m\n", schema),
                       DataError,
                       "f:1: the first line holds '40', 'm', none of the names that are known; expected the names");
  EXPECT_THROW_MESSAGE(rows_of("m,40,m\n", schema), DataError, "f:1: the first line holds 'm', '40', 'm', none of");
  EXPECT_THROW_MESSAGE(rows_of("40,50\n", schema), DataError, "f:1: the first line holds numbers; expected the names");
  EXPECT_THROW_MESSAGE(rows_of("# only this\n", schema), DataError, "f: there is no row; expected at least one");
}

TEST(TableRows, PlacesServeWithoutNames) {
  const TableSchema schema = understand("20,m,1\n30,f,0\n25,m,1\n").schema;
  EXPECT_TRUE(identical(all_of(rows_of("40,m\n50,f\n", schema), schema), Matrix{{40, 1}, {50, 0}}));
  EXPECT_TRUE(identical(all_of(rows_of("40;m;?\n50;f;1\n", schema), schema), Matrix{{40, 1}, {50, 0}}));
  EXPECT_THROW_MESSAGE(rows_of("40\n", schema), DataError, "f:1: found 1 column; expected the 2 that are learned from");
  TableSchema middle = understand("1,20,m\n0,30,f\n1,25,m\n", {.label = Index{0}}).schema;
  EXPECT_TRUE(identical(all_of(rows_of("40,m\n", middle), middle), Matrix{{40, 1}}));
}

TEST(TableRows, BadRowsAreLeftBehind) {
  const TableSchema schema = understand(kPeople).schema;
  TableRows rows = rows_of("age,sex\n40,m\nx,m\n41\n,f\n\"4\"2,m\n43\r,f\n44,\xff\n45,f\n", schema);
  std::vector<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    try {
      if (!rows.next()) break;
      seen.push_back(std::to_string(rows.line()));
    } catch (const DataError& error) {
      seen.emplace_back(error.what());
    }
  }
  ASSERT_EQ(seen.size(), 8U);
  EXPECT_EQ(seen[0], "2");
  EXPECT_THAT(seen[1], HasSubstr("f:3: column 'age': found 'x'; expected a number"));
  EXPECT_THAT(seen[2], HasSubstr("f:4: found 1 column; expected 2"));
  EXPECT_THAT(seen[3], HasSubstr("f:5: column 'age': the value is missing"));
  EXPECT_THAT(seen[4], HasSubstr("f:6: found '2' behind a closing quote"));
  EXPECT_THAT(seen[5], HasSubstr("f:7: found a carriage return inside a line"));
  EXPECT_THAT(seen[6], HasSubstr("f:8: found '\\xff', which is no UTF-8"));
  EXPECT_EQ(seen[7], "9");
}

TEST(TableRows, UnknownCategoriesAreNamedAndCountAsMissingWhereThatIsKnown) {
  const TableSchema plain = understand(kPeople).schema;
  TableRows rows = rows_of("age,sex\n40,x\n41,m\n", plain);
  std::vector<Real> row(2);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.unknown(), (Names{"sex"}));
  rows.read(row.data());
  EXPECT_EQ(row, (std::vector<Real>{40, 0}));
  ASSERT_TRUE(rows.next());
  EXPECT_TRUE(rows.unknown().empty());
  const TableSchema filled = understand("age,sex,ill\n20,m,1\n30,f,0\n,,1\n", {.missing = MissingRule::kImpute}).schema;
  EXPECT_TRUE(identical(all_of(rows_of("age,sex\n,\n40,x\n", filled), filled), Matrix{{25, 1, 0, 1}, {40, 0, 0, 1}}));
}

TEST(TableRows, KnowWhetherARowIsAtHand) {
  const TableSchema schema = understand(kPeople).schema;
  // A piece ends with the second row's first bytes.
  const std::string packed = in_pieces("age,sex\n40,m\n\n# so\n41,f\n", 14);
  TableRows rows(ByteSource::over(packed, "f", kNoByteLimit), schema, {});
  EXPECT_TRUE(rows.has_row_at_hand());
  ASSERT_TRUE(rows.next());
  EXPECT_FALSE(rows.has_row_at_hand());
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 5);
  EXPECT_FALSE(rows.has_row_at_hand());
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.next());
}

TEST(TableRows, FindTheDecimalMark) {
  const TableSchema schema = understand("age,dose,ill\n20,1.5,1\n30,2.5,0\n25,2,1\n").schema;
  for (const std::string text :
       {"age;dose\n40;1,5\n50;2,25\n", "age;dose\n40;1.5\n50;2.25\n", "age,dose\n40,1.5\n50,2.25\n"}) {
    EXPECT_TRUE(identical(all_of(rows_of(text, schema), schema), Matrix{{40, Real(1.5)}, {50, Real(2.25)}})) << text;
  }
  EXPECT_THROW_MESSAGE(
      all_of(rows_of("age;dose\n40;1,5\n50;2.25\n", schema), schema), DataError, "f:3: column 'dose': found '2.25'");
}

TEST(TableRows, AQuoteThatOpensByMistakeTakesNoOtherRowsWithIt) {
  const TableSchema schema = understand(kPeople).schema;
  TableRows rows = rows_of("age,sex\n\"34,f\n50,m\n51,m\n52,\"m\n53,m\n", schema);
  std::vector<Index> good;
  int bad = 0;
  while (true) {
    try {
      if (!rows.next()) break;
      good.push_back(rows.line());
    } catch (const DataError&) {
      ++bad;
    }
  }
  EXPECT_EQ(good, (std::vector<Index>{3, 4, 6}));
  EXPECT_EQ(bad, 2);
}

TEST(TableRows, TellOfLinesThatWereTakenAsComments) {
  const TableSchema schema = understand(kPeople).schema;
  TableRows rows = rows_of("age,sex\n# 40,m\n50,f\n#51,m\n", schema);
  while (rows.next()) {
  }
  EXPECT_EQ(rows.remark(), "2 lines beginning with # taken as comments, first line 2");
}

}  // namespace
}  // namespace fedstein
