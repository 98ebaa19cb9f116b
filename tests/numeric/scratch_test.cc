// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/scratch.h"

#include <gtest/gtest.h>

#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

TEST(Scratch, LivingBlocksNeverOverlap) {
  Scratch a(10, 10);
  a->setConstant(1);
  Scratch b(300, 300);  // more than the first chunk holds
  b->setConstant(2);
  Scratch c(3, 3);
  c->setConstant(3);
  EXPECT_EQ(a->sum(), 100);
  EXPECT_EQ(b->sum(), 2 * 300 * 300);
  EXPECT_EQ(c->sum(), 27);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(c->data()) % 64, 0U);
}

TEST(Scratch, TheSameRequestsGetTheSamePlaces) {
  const auto places = [] {
    Scratch a(7, 9);
    Scratch b(500, 500);
    Scratch empty(0, 5);
    Scratch c(2, 2);
    return std::array<const Real*, 3>{a->data(), b->data(), c->data()};
  };
  const auto first = places();
  EXPECT_EQ(places(), first);
  EXPECT_EQ(places(), first);
}

TEST(Scratch, SurvivesTasksThatRunInTheMiddleOfAWait) {
  std::vector<int> wrong(64, 0);
  parallel_for(64, 1, [&](Index task, Index) {
    Scratch mine(20, 20);
    mine->setConstant(static_cast<Real>(task));
    parallel_for(32, 1, [&](Index piece, Index) {
      Scratch inner(16, 16 + piece);
      inner->setConstant(-1);
    });
    wrong[static_cast<std::size_t>(task)] = (mine->array() != static_cast<Real>(task)).count() > 0 ? 1 : 0;
  });
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 1), 0);
}

}  // namespace
}  // namespace fedstein
