// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/text_rows.h"

#include <gtest/gtest.h>

#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TextRows rows_of(std::string_view bytes, const TextOptions& options = {}) {
  return {ByteSource::over(bytes, "rows", options.byte_limit), options};
}

TEST(TextRows, GivesWhatTheTableHoldsRowByRow) {
  const std::string_view bytes = "a,b,c\n1,2,3\n4,5,6\n-7,8e1, 9\n\n";
  const TextOptions options{.ignored_columns = {1}, .header = true};
  const Matrix table = parse_text(bytes, "rows", options);
  TextRows rows = rows_of(bytes, options);
  Matrix found(3, 2);
  for (Index row = 0; row < 3; ++row) {
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.line(), row + 2);
    ASSERT_EQ(rows.columns(), 2);
    rows.read(found.row(row).data());
  }
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.next()) << "the end stays the end";
  EXPECT_TRUE(identical(found, table));
}

TEST(TextRows, KnowsWhetherTheNextRowIsThere) {
  TextRows rows = rows_of("1\n2\n3");
  ASSERT_TRUE(rows.next());
  EXPECT_TRUE(rows.has_row_at_hand());
  ASSERT_TRUE(rows.next());
  EXPECT_FALSE(rows.has_row_at_hand()) << "a line without its end may go on";
  EXPECT_TRUE(rows.next());
}

TEST(TextRows, ARowThatIsWrongIsRefusedWhenItIsRead) {
  TextRows rows = rows_of("1,2\n3\n4,x\n");
  Matrix out(1, 2);
  ASSERT_TRUE(rows.next());
  rows.read(out.data());
  ASSERT_TRUE(rows.next());
  EXPECT_THROW_MESSAGE(rows.read(out.data()), DataError, "rows:2: found 1 column in '3'; expected 2");
  ASSERT_TRUE(rows.next());
  EXPECT_THROW_MESSAGE(rows.read(out.data()), DataError, "rows:3: column 1 (from 0): ");
}

}  // namespace
}  // namespace fedstein
