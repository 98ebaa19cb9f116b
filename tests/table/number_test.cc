// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fedstein/table/cell.h"
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TEST(TableNumbers, AreReadInEveryForm) {
  const std::vector<std::pair<const char*, double>> numbers{{"1", 1},
                                                            {"-1", -1},
                                                            {"+1", 1},
                                                            {"1.", 1},
                                                            {".5", 0.5},
                                                            {"-.5", -0.5},
                                                            {"1e3", 1000},
                                                            {"1E-3", 0.001},
                                                            {"007", 7},
                                                            {"1e-400", 0},
                                                            {"-1e-99999999999999999999", 0},
                                                            {" 2 ", 2},
                                                            {"123456789012345678901234567890", 1.2345678901234568e29}};
  for (const auto& [text, expected] : numbers) {
    double value = -7;
    EXPECT_EQ(read_cell(text, '.', value), CellKind::kNumber) << text;
    EXPECT_EQ(value, expected) << text;
  }
  for (const char* text :
       {"", "-", "+", ".", "e5", "1e", "--1", "+-1", "1 2", "0x10", "1,5", "1.5.2", "nan", "one", "1d3"}) {
    double value = 0;
    EXPECT_EQ(read_cell(text, '.', value), CellKind::kText) << text;
  }
  for (const char* text : {"inf", "-Infinity", "1e999", "-1e400", "1e99999999999999999999"}) {
    double value = 0;
    EXPECT_EQ(read_cell(text, '.', value), CellKind::kOutOfRange) << text;
  }
  double value = 0;
  EXPECT_EQ(read_cell("-1,25e2", ',', value), CellKind::kNumber);
  EXPECT_EQ(value, -125);
  EXPECT_EQ(read_cell("1.25", ',', value), CellKind::kText);
}

TEST(TableNumbers, TooLargeOnesAreRefusedWithTheirLine) {
  EXPECT_THAT(refusal("a,y\n1,0\n2,1\n1e999,1\n"),
              HasSubstr("column 'a': found '1e999' in line 4; expected a finite number that fits into"));
  EXPECT_THAT(refusal("a,y\n1,0\n-inf,1\n2,1\n"), HasSubstr("found '-inf' in line 3"));
  const std::string single = refusal("a,y\n1,0\n1e39,1\n2,1\n");
  if (std::string(kRealName) == "float") {
    EXPECT_THAT(single, HasSubstr("found '1e39' in line 3; expected a finite number that fits into float"));
  } else {
    EXPECT_EQ(single, "");
  }
  const TableSchema schema = understand("a,y\n1,0\n2,1\n").schema;
  EXPECT_THROW_MESSAGE(
      parse_table("a,y\n1,0\ninf,1\n", "f", schema), DataError, "f:3: column 'a': found 'inf'; expected a finite");
}

TEST(TableNumbers, LargeOffsetsKeepTheirDigits) {
  const UnderstoodTable table = understand("t,y\n1700000007,1\n1700000005,0\n1700000006.5,1\n");
  EXPECT_EQ(table.schema.columns[0].origin, 1700000005);
  EXPECT_TRUE(identical(table.rows.x, Matrix{{2}, {0}, {Real(1.5)}}));
  EXPECT_THAT(remarks(table), HasSubstr("column 't' is counted from 1700000005, so that its digits survive"));
  EXPECT_EQ(parse_table("t,y\n1700000009,1\n", "f", table.schema).x(0, 0), 4);
  EXPECT_EQ(understand("t,y\n2019,1\n2020,0\n2021,1\n").schema.columns[0].origin, 0);
  const UnderstoodTable filled =
      understand("t,y\n1700000007,1\n,0\n1700000005,0\n1700000006,1\n", {.missing = MissingRule::kImpute});
  EXPECT_TRUE(identical(filled.rows.x, Matrix{{2, 0}, {1, 1}, {0, 0}, {1, 0}}));
}

TEST(TableNumbers, ManyDigitsAreRoundedOnce) {
  const UnderstoodTable table =
      understand("a,y\n0.1000000014901161193847656250,1\n0.30000000000000004,0\n16777217.5,1\n");
  EXPECT_EQ(table.rows.x(0, 0), static_cast<Real>(0.100000001490116119384765625));
  EXPECT_EQ(table.rows.x(1, 0), static_cast<Real>(0.30000000000000004));
  EXPECT_EQ(table.rows.x(2, 0), static_cast<Real>(16777217.5));
}

TEST(TableNumbers, WrongMarksAreNamedByTheSchema) {
  const TableSchema schema = understand("a;y\n1.5;0\n2.5;1\n").schema;
  EXPECT_THROW_MESSAGE(parse_table("a;y\n1,5;0\n", "f", schema),
                       DataError,
                       "f:2: column 'a': found '1,5'; expected a number with '.' as its decimal mark");
  EXPECT_THROW_MESSAGE(
      parse_table("a;y\n1 500;0\n", "f", schema), DataError, "expected a number without thousands separators");
}

}  // namespace
}  // namespace fedstein
