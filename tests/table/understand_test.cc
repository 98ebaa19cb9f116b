// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/understand.h"

#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(UnderstandTable, ReadsNumbersCategoriesAndClasses) {
  const UnderstoodTable table = understand_text("age,sex,grade\n20,m,good\n30,f,bad\n25,m,good\n", "f", {});
  EXPECT_EQ(feature_names(table.schema), (std::vector<std::string>{"age", "sex=m"}));
  EXPECT_TRUE(identical(table.rows.x, Matrix{{20, 1}, {30, 0}, {25, 1}}));
  EXPECT_TRUE(identical(table.rows.y, Matrix{{1}, {-1}, {1}}));
  EXPECT_EQ(table.lines, (std::vector<Index>{2, 3, 4}));
}

}  // namespace
}  // namespace fedstein
