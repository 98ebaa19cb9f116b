// SPDX-License-Identifier: Apache-2.0
// One mishap at one message, for every mishap and every message of a run: it ends with the undisturbed particles.
#include <gtest/gtest.h>

#include "relay/relay_world.h"
#include "support/close.h"

namespace fedstein {
namespace {

class RelayMishaps : public testing::TestWithParam<const char*> {};

TEST_P(RelayMishaps, AnyMishapOfAnyMessageChangesNothing) {
  const RelayCase which{.algorithm = GetParam(), .agents = 2, .rounds = 2};
  RelayWorld undisturbed(which);
  int events = 0;
  undisturbed.fate = [&](int event, const RelayDispatch&) {
    events = event;
    return Fate::kDelivered;
  };
  const Particles wanted = undisturbed.run().particles;
  const std::vector<std::string> states = undisturbed.states();
  ASSERT_GE(events, 2 * 2 + 2 + 2);  // names and hellos, tasks, farewells
  for (const Fate fate : all_fates()) {
    for (int at = 1; at <= events; ++at) {
      RelayWorld world(which);
      world.fate = [&](int event, const RelayDispatch&) { return event == at ? fate : Fate::kDelivered; };
      const ServedRun run = world.run();
      ASSERT_TRUE(identical(run.particles, wanted)) << static_cast<int>(fate) << " at " << at << "\n"
                                                    << world.all_told();
      ASSERT_EQ(run.lost_rounds, 0);
      ASSERT_EQ(world.states(), states) << static_cast<int>(fate) << " at " << at << "\n" << world.all_told();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RelayMishaps, testing::Values("c-dsvgd", "dsvgd", "pvi"), [](const auto& which) {
  std::string name = which.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace fedstein
