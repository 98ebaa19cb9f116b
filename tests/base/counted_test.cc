// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace fedstein {
namespace {

TEST(Counted, HasNoPluralForOneThing) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(std::uint64_t{2}, "row"), "2 rows");
  EXPECT_EQ(counted(-1, "row"), "-1 rows");
  EXPECT_EQ(counted(1, "class"), "1 class");
  EXPECT_EQ(counted(3, "class"), "3 classes");
}

}  // namespace
}  // namespace fedstein
