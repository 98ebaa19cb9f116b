// SPDX-License-Identifier: Apache-2.0
// The fuzzers' own bodies in the ordinary build: good tables, the same with bytes changed at random, and what the
// fuzzers found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fedstein/numeric/rng.h"
#include "fuzz/table_seeds.h"
#include "fuzz/table_target.h"

namespace fedstein {
namespace {

using Body = void (*)(std::string_view);

void spoil(const std::vector<std::string>& seeds, Body body) {
  constexpr std::string_view kOdd = "\"\n\r,;\t| #.0NA?-e\xc3";
  Rng rng({.seed = 11, .agent = 0, .round = 0, .purpose = Purpose::kTest});
  for (const std::string& seed : seeds) {
    ASSERT_NO_THROW(body(seed)) << testing::PrintToString(seed);
    for (int i = 0; i < 400; ++i) {
      std::string bad = seed;
      for (std::uint64_t changes = 1 + rng.below(4); changes > 0; --changes) {
        const std::size_t at = rng.below(bad.size());
        const double what = rng.uniform();
        if (what < 0.5) bad[at] = kOdd[rng.below(kOdd.size())];
        if (what >= 0.5 && what < 0.7) bad.insert(at, 1, kOdd[rng.below(kOdd.size())]);
        if (what >= 0.7 && bad.size() > 8) bad.erase(at, 1);
      }
      ASSERT_NO_THROW(body(bad)) << testing::PrintToString(bad);
    }
  }
}

TEST(TableFuzz, SpoiledTablesAreRefusedOrSound) {
  spoil(table_seeds(), fuzz_table);
}

TEST(TableFuzz, SpoiledStreamsAreTheSameInPieces) {
  spoil(table_rows_seeds(), fuzz_table_rows);
}

// Otherwise the two above would test refusals alone.
TEST(TableFuzz, SeedsAreUnderstood) {
  for (const std::string& seed : table_seeds()) {
    std::string_view bytes = seed;
    const TableOptions options = fuzzed_table_options(bytes);
    EXPECT_NO_THROW(understand_text(bytes, "input", options)) << seed;
  }
}

TEST(TableFuzz, CommittedFindingsStayFixed) {
  const std::filesystem::path folder = FEDSTEIN_SOURCE_DIR "/tests/table/fuzz_findings";
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    const Body body = file.starts_with("table_rows-") ? fuzz_table_rows : fuzz_table;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(body(bytes)) << file;
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace fedstein
