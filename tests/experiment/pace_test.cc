// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/pace.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

TEST(Pace, IsTheMeanOfTheRoundsSoFar) {
  Pace pace;
  EXPECT_EQ(pace.seconds("sgld", 100), 0);
  pace.note("sgld", 10, 5);
  EXPECT_EQ(pace.seconds("sgld", 100), 50);
  pace.note("sgld", 30, 5);
  EXPECT_EQ(pace.seconds("sgld", 100), 25);
  EXPECT_EQ(pace.seconds("fedavg", 100), 0);
}

}  // namespace
}  // namespace fedstein
