// SPDX-License-Identifier: Apache-2.0
// The fuzzer's own body in the ordinary build: good files, and the same with bytes changed at random and sealed anew.
#include <gtest/gtest.h>

#include "fedstein/numeric/rng.h"
#include "fuzz/posterior_target.h"
#include "posterior/made_posteriors.h"

namespace fedstein {
namespace {

TEST(PosteriorFuzz, SpoiledFilesAreRefusedOrPredict) {
  Rng rng({.seed = 6, .agent = 0, .round = 0, .purpose = Purpose::kTest});
  int taken = 0;
  int refused = 0;
  for (const Posterior& posterior :
       {made_binary(), made_classes(), made_regression(), made_remembering(), made_laid_out()}) {
    const std::string good = to_bytes(posterior);
    ASSERT_TRUE(fuzz_posterior(good));
    for (int i = 0; i < 1500; ++i) {
      std::string bad = good;
      for (std::uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
        const std::size_t at = rng.below(bad.size());
        const double what = rng.uniform();
        if (what < 0.7) bad[at] = static_cast<char>(rng.below(256));
        if (what >= 0.7 && what < 0.85) bad.insert(at, 1, static_cast<char>('0' + rng.below(10)));
        if (what >= 0.85) bad.erase(at, 1);
      }
      bool is_posterior = false;
      ASSERT_NO_THROW(is_posterior = fuzz_posterior(bad)) << testing::PrintToString(bad);
      (is_posterior ? taken : refused)++;
    }
  }
  EXPECT_GT(taken, 100);  // other particles, other facts
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace fedstein
