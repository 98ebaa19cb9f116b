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
}

// What these messages are about is reached. A deadline of never was once earlier than now, about every other time.
TEST(RelayFuzz, ARoundWithoutADeadlineWaitsForItsAgents) {
  for (int i = 0; i < 30; ++i) {
    FuzzedHub hub;
    hub.ask(RelayPlace::kWork);
    const std::vector<Reply> replies = hub.answered();
    ASSERT_EQ(replies.size(), 2U);
    for (const Reply& reply : replies) ASSERT_TRUE(std::holds_alternative<Update>(reply)) << i;
  }
}

TEST(RelayFuzz, SpoiledMessagesAreRefusedOrHarmless) {
  Rng rng({.seed = 5, .agent = 0, .round = 0, .purpose = Purpose::kTest});
  for (const std::string& good : relay_seeds()) {
    for (int i = 0; i < 40; ++i) {
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
