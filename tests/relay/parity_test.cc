// SPDX-License-Identifier: Apache-2.0
// Every method over the relays and in one process: equal to the last bit, at the server and at every agent, though
// every message meets a new agent object.
#include <gtest/gtest.h>

#include <cctype>

#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"
#include "relay/relay_world.h"
#include "support/close.h"

namespace fedstein {
namespace {

// An algorithm, perhaps with a blank and a setting KEY=VALUE behind it.
class RelayParity : public testing::TestWithParam<std::string> {};

TEST_P(RelayParity, AsInOneProcess) {
  const std::size_t blank = GetParam().find(' ');
  const std::string algorithm = GetParam().substr(0, blank);
  RelayWorld world({.algorithm = algorithm,
                    .rounds = 5,
                    .setting = blank == std::string::npos ? "" : GetParam().substr(blank + 1),
                    .scheduler = algorithm_named(algorithm).parallel ? "fraction" : "round-robin",
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

std::vector<std::string> federated_choices() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    // fedbe needs rows at the server, which a server without rows does not have.
    if (algorithm.centralised || algorithm.name == "fedbe") continue;
    names.push_back(algorithm.name);
    for (const Setting& setting : algorithm.settings) {
      if (const auto* standard = std::get_if<bool>(&setting.standard)) {
        names.push_back(algorithm.name + " " + setting.key + "=" + (*standard ? "false" : "true"));
      }
      for (const std::string& choice : setting.choices) {
        if (choice != std::get<std::string>(setting.standard)) {
          names.push_back(algorithm.name + " " + setting.key + "=" + choice);
        }
      }
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, RelayParity, testing::ValuesIn(federated_choices()), [](const auto& which) {
  std::string name = which.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace fedstein
