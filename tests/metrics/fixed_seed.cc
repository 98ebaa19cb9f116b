// SPDX-License-Identifier: Apache-2.0
// rapidcheck takes a new seed each run unless told: here it is told, so that a failure is the same on every machine.
#include <gtest/gtest.h>

#include <cstdlib>

namespace {

class FixedSeed : public testing::Environment {
 public:
  // An RC_PARAMS of the user's, set to reproduce something else, stays.
  void SetUp() override { setenv("RC_PARAMS", "seed=2019", /*overwrite=*/0); }
};

const testing::Environment* const kFixedSeed = testing::AddGlobalTestEnvironment(new FixedSeed);

}  // namespace
