// SPDX-License-Identifier: Apache-2.0
// The fuzzer's own body in the ordinary build: good messages, the same with bytes changed at random, and findings.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "fedstein/numeric/rng.h"
#include "fuzz/messages_target.h"
#include "support/process.h"

namespace fedstein {
namespace {

std::vector<std::string> good_messages() {
  std::vector<std::string> out;
  const auto keep = [&](char kind, const auto& message) { out.push_back(kind + message.SerializeAsString()); };
  v1::Upload reply;
  encode(Upload{1, Update{1, 0, {Matrix::Constant(1, 1, 5)}}}, reply);
  keep('\0', reply);
  v1::Upload failure;
  encode(Upload{1, Failure{1, 0, Failure::Kind::kDiverged, "why"}}, failure);
  keep('\0', failure);
  v1::Attendance attendance;
  encode(AgentFacts{.algorithm = "dsvgd", .dimension = 3, .rows = 2, .features = 2, .statistics = "s"},
         Hello{.run = "run", .settled = 0, .in_hand = Attempt{1, 1}, .forgets = false},
         attendance);
  keep('\1', attendance);
  v1::Letter letter;
  encode(Letter(Offer{7, Task{1, 0, 0, {Matrix::Ones(2, 2)}, Verdict{1, 0, true, 0.5}}}), letter);
  keep('\2', letter);
  v1::Tidings tidings;
  encode(EvaluationReport{.round = 1, .sums = {.rows = 2, .bins = {{2, 1, 1.5}}}}, *tidings.mutable_evaluation());
  keep('\3', tidings);
  return out;
}

TEST(MessagesFuzz, SpoiledMessagesAreRefusedOrHarmless) {
  Rng rng({.seed = 4, .agent = 0, .round = 0, .purpose = Purpose::kTest});
  for (const std::string& good : good_messages()) {
    ASSERT_NO_THROW(fuzz_messages(good));
    for (int i = 0; i < 4000; ++i) {
      std::string bad = good;
      for (std::uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
        const std::size_t at = rng.below(bad.size());
        const double what = rng.uniform();
        if (what < 0.6) bad[at] = static_cast<char>(rng.below(256));
        if (what >= 0.6 && what < 0.8) bad.insert(at, 1, static_cast<char>(rng.below(256)));
        if (what >= 0.8 && bad.size() > 1) bad.erase(at, 1);
      }
      ASSERT_NO_THROW(fuzz_messages(bad)) << testing::PrintToString(bad);
    }
  }
}

// What the fuzzer found, and a few made by hand so that it has where to begin.
TEST(MessagesFuzz, CommittedFindingsStayFixed) {
  const std::filesystem::path folder = FEDSTEIN_SOURCE_DIR "/tests/rpc/fuzz_findings";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NO_THROW(fuzz_messages(read_text(entry.path().string()))) << entry.path();
  }
}

}  // namespace
}  // namespace fedstein
