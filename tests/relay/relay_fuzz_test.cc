// SPDX-License-Identifier: Apache-2.0
// The fuzzer's own body in the ordinary build: good messages, the same with bytes changed at random, and findings.
#include <gtest/gtest.h>

#include <filesystem>

#include "fedstein/numeric/rng.h"
#include "fuzz/relay_target.h"
#include "support/process.h"

namespace fedstein {
namespace {

TEST(RelayFuzz, GoodMessagesReachWhatTheyAreFor) {
  for (const std::string& good : relay_seeds()) ASSERT_NO_THROW(fuzz_relay(good)) << testing::PrintToString(good);
  // The good answers to work are kept, so that the checks behind have something to look at.
  FuzzedHub hub;
  const std::int64_t serial = hub.ask(RelayPlace::kWork);
  RelayAnswer done = FuzzedHub::arriving({.serial = serial, .node = "node-0"});
  done.arrival->hello = {.run = "run", .settled = 0, .in_hand = Attempt{1, 1}};
  done.upload = Upload{1, Update{1, 0, {Matrix::Constant(1, 1, 5)}}};
  hub.take(serial, parcel_of(done));
  EXPECT_EQ(hub.replies(), 1U);
}

TEST(RelayFuzz, SpoiledMessagesAreRefusedOrHarmless) {
  Rng rng({.seed = 5, .agent = 0, .round = 0, .purpose = Purpose::kTest});
  for (const std::string& good : relay_seeds()) {
    for (int i = 0; i < 60; ++i) {
      std::string bad = good;
      for (std::uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
        const std::size_t at = 1 + rng.below(bad.size() - 1);
        bad[at] = static_cast<char>(rng.below(256));
      }
      ASSERT_NO_THROW(fuzz_relay(bad)) << testing::PrintToString(bad);
    }
  }
}

TEST(RelayFuzz, CommittedFindingsStayFixed) {
  const std::filesystem::path folder = FEDSTEIN_SOURCE_DIR "/tests/relay/fuzz_findings";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NO_THROW(fuzz_relay(read_text(entry.path().string()))) << entry.path();
  }
}

}  // namespace
}  // namespace fedstein
