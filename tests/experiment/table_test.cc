// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/table.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

TEST(TextTable, ColumnsAreAlignedAndTheBestMarked) {
  const Table table{.header = {"method", "accuracy"},
                    .rows = {{{"dsvgd"}, {"0.97 ± 0.01", true}}, {{"fedavg, N = 2"}, {"0.9"}}}};
  EXPECT_EQ(to_text(table, false),
            "method             accuracy\n"
            "dsvgd          0.97 ± 0.01*\n"
            "fedavg, N = 2          0.9\n");
  EXPECT_EQ(to_text(table, true),
            "method            accuracy\n"
            "dsvgd          \x1b[1m0.97 ± 0.01\x1b[0m\n"
            "fedavg, N = 2          0.9\n");
}

TEST(TextTable, NumbersForPeople) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1500), "1.5 kB");
  EXPECT_EQ(bytes_text(45'000'000), "45 MB");
  EXPECT_EQ(duration_text(7.4), "0:07");
  EXPECT_EQ(duration_text(754), "12:34");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(duration_text(-1), "0:00");
}

}  // namespace
}  // namespace fedstein
