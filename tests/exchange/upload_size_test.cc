// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fedstein/exchange/upload_check.h"

namespace fedstein {
namespace {

TEST(UploadSize, IsMeasuredByTheBeliefAndByWhatOthersSent) {
  EXPECT_TRUE(size_suspicion({900}, {1}, {{1}, {2}}, 1000).none());
  EXPECT_FALSE(size_suspicion({3000}, {1}, {{1}, {2}}, 1000).none());
  EXPECT_TRUE(size_suspicion({3000}, {1}, {{5}, {6}}, 1000).none());
  EXPECT_TRUE(size_suspicion({3000}, {5}, {{1}, {2}}, 1000).none());
}

// Of one agent that answers first with zeros, the others' honest updates are not out of proportion.
TEST(UploadSize, WhoSendsNothingSetsNoMeasure) {
  EXPECT_TRUE(size_suspicion({3000}, {1}, {{0}}, 1000).none());
  EXPECT_TRUE(size_suspicion({3000}, {1}, {{0}, {5}}, 1000).none());
  EXPECT_FALSE(size_suspicion({3000}, {1}, {{0}, {1}}, 1000).none());
}

}  // namespace
}  // namespace fedstein
