// SPDX-License-Identifier: Apache-2.0
// Inner loops must not allocate.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/score_field.h"
#include "fedstein/stein/svgd.h"
#include "support/allocation_counter.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

// The allocations of a run of svgd() must not depend on its number of steps.
long allocations_of_run(const Terms& terms, const Particles& start, Index steps) {
  Particles particles = start;
  const long before = allocations_so_far();
  svgd(particles, terms, {.steps = steps});
  return allocations_so_far() - before;
}

TEST(Allocation, TheCounterSeesEigenAndNew) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  const long before = allocations_so_far();
  const Matrix matrix = Matrix::Zero(100, 100);
  const auto owned = std::make_unique<std::array<int, 100>>();
  EXPECT_EQ(matrix(3, 4), static_cast<Real>((*owned)[0] * 0));
  EXPECT_GE(allocations_so_far() - before, 2);
}

class LocalLoop : public testing::TestWithParam<std::tuple<Index, Index>> {};

TEST_P(LocalLoop, DoesNotAllocatePerStep) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  // One thread: the scheduler's own task objects are its affair, not the loop's.
  const ThreadLimit one(1);
  const auto [n, d] = GetParam();
  const Particles start = random_matrix(n, d, 1);
  const Kde kde(random_matrix(n, d, 2), 0.55);
  const ScoreField field(random_matrix(n, d, 3), random_matrix(n, d, 4));
  const Terms terms{{+1, kde}, {-1, field}};
  allocations_of_run(terms, start, 3);  // warm: scratch grows here
  EXPECT_EQ(allocations_of_run(terms, start, 2), allocations_of_run(terms, start, 12));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         LocalLoop,
                         testing::Values(std::tuple{1, 5},
                                         std::tuple{6, 55},
                                         std::tuple{6, 1025},
                                         std::tuple{20, 1000},
                                         std::tuple{70, 259},
                                         std::tuple{200, 1},
                                         std::tuple{100, 100}));

}  // namespace
}  // namespace fedstein
