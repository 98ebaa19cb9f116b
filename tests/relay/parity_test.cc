// SPDX-License-Identifier: Apache-2.0
// Every method over the relays and in one process: equal to the last bit, at the server and at every agent, though
// every message meets a new agent object.
#include <gtest/gtest.h>

#include "fedstein/numeric/check.h"
#include "relay/relay_world.h"
#include "support/close.h"
#include "support/method_variants.h"

namespace fedstein {
namespace {

class RelayParity : public testing::TestWithParam<std::string> {};

TEST_P(RelayParity, AsInOneProcess) {
  const MethodVariant variant = method_variant(GetParam());
  RelayWorld world({.algorithm = variant.algorithm,
                    .rounds = 5,
                    .setting = variant.setting,
                    .scheduler = algorithm_named(variant.algorithm).parallel ? "fraction" : "round-robin",
                    .scaling = "none"});
  std::optional<RelayWorld::Result> local;
  try {
    local = world.in_process();
  } catch (const Error&) {  // some choices do not go together; then both refuse
    EXPECT_ANY_THROW(world.run());
    return;
  }
  const ServedRun run = world.run();
  EXPECT_EQ(run.rounds, 5);
  EXPECT_EQ(run.lost_rounds, 0) << run.loss;
  EXPECT_TRUE(identical(run.particles, local->particles));
  EXPECT_EQ(world.states(), local->states);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, RelayParity, testing::ValuesIn(method_variants()), [](const auto& which) {
  return variant_test_name(which.param);
});

}  // namespace
}  // namespace fedstein
