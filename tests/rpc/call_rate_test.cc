// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/call_rate.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

TEST(CallRate, AllowsManyAtOnceThenAFixedNumberASecondAndKeepsAgentsApart) {
  CallRate rate(40, 10);
  const auto start = CallRate::Clock::now();
  int allowed = 0;
  for (int call = 0; call < 10000; ++call) allowed += rate.allows(0, start) ? 1 : 0;
  EXPECT_EQ(allowed, 40);
  EXPECT_TRUE(rate.allows(1, start)) << "another agent has a bucket of its own";
  allowed = 0;
  for (int call = 0; call < 10000; ++call) allowed += rate.allows(0, start + std::chrono::seconds(2)) ? 1 : 0;
  EXPECT_EQ(allowed, 20);
}

}  // namespace
}  // namespace fedstein
