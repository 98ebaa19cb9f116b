// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/parallel.h"

#include <atomic>
#include <numeric>

#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(ParallelFor, CoversEveryElementOnceWhateverTheGrain) {
  for (const Index count : {0, 1, 7, 100, 1001}) {
    for (const Index grain : {1, 3, 100, 5000}) {
      std::vector<int> visits(static_cast<std::size_t>(count), 0);
      std::atomic<Index> calls = 0;
      parallel_for(count, grain, [&](Index begin, Index end) {
        EXPECT_EQ(begin % grain, 0);
        EXPECT_LE(end - begin, grain);
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
        ++calls;
      });
      EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), Index{0}), count);
      EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
      EXPECT_EQ(calls, pieces(count, grain));
    }
  }
}

TEST(ParallelFor, NestsWithoutDeadlock) {
  std::vector<double> sums(16, 0.0);
  parallel_for(16, 1, [&](Index outer, Index) {
    std::vector<double> parts(64, 0.0);
    parallel_for(64, 4, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) parts[static_cast<std::size_t>(i)] = static_cast<double>(i);
    });
    sums[static_cast<std::size_t>(outer)] = std::accumulate(parts.begin(), parts.end(), 0.0);
  });
  for (const double sum : sums) EXPECT_EQ(sum, 63 * 64 / 2);
}

TEST(ParallelFor, RethrowsWhatABodyThrows) {
  const auto fail = [](Index begin, Index) {
    if (begin == 30) throw std::runtime_error("piece 30");
  };
  EXPECT_THROW_MESSAGE(parallel_for(100, 10, fail), std::runtime_error, "piece 30");
}

TEST(ParallelFor, RefusesBadArguments) {
  const auto nothing = [](Index, Index) {};
  EXPECT_THROW_MESSAGE(parallel_for(-1, 1, nothing), InvalidArgument, "count is -1");
  EXPECT_THROW_MESSAGE(parallel_for(10, 0, nothing), InvalidArgument, "grain is 0");
  EXPECT_THROW_MESSAGE(ThreadLimit(0), InvalidArgument, "threads is 0");
}

TEST(ThreadLimit, HoldsWhileAliveAndTheLowestCounts) {
  const int before = available_threads();
  {
    const ThreadLimit one(1);
    EXPECT_EQ(available_threads(), 1);
    const ThreadLimit three(3);
    EXPECT_EQ(available_threads(), 1);
  }
  EXPECT_EQ(available_threads(), before);
}

}  // namespace
}  // namespace fedstein
