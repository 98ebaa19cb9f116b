// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/versioned_belief.h"

#include <gtest/gtest.h>

#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

const Belief kStart = {random_matrix(3, 2, 1), random_matrix(1, 2, 2)};
const Belief kNext = {random_matrix(3, 2, 3), random_matrix(1, 2, 4)};

TEST(VersionedBelief, PlansTheSameTaskForAllAgents) {
  VersionedBelief belief(kStart);
  belief.replace(kNext);
  const std::vector<Task> tasks = belief.plan(5, {0, 2});
  ASSERT_EQ(tasks.size(), 2U);
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_EQ(tasks[k].round, 5);
    EXPECT_EQ(tasks[k].agent, static_cast<Index>(2 * k));
    EXPECT_EQ(tasks[k].version, 1);
    EXPECT_TRUE(identical(tasks[k].belief[1], kNext[1]));
    EXPECT_FALSE(tasks[k].verdict);
  }
}

// Runs that were stopped under an earlier version are resumed from these bytes.
TEST(VersionedBelief, SavesTheBytesThatServersAlwaysSaved) {
  VersionedBelief belief(kStart);
  belief.replace(kNext);
  belief.replace(kNext);
  StateWriter writer("some server");
  writer.integer(2);
  writer.matrices(kNext);
  EXPECT_EQ(belief.save("some server"), std::move(writer).finish());
}

TEST(VersionedBelief, ComesBackToTheBit) {
  VersionedBelief belief(kStart), other(kStart);
  belief.replace(kNext);
  other.restore(belief.save("some server"), "some server");
  EXPECT_EQ(other.version(), 1);
  EXPECT_TRUE(identical(other[0], kNext[0]));
  EXPECT_EQ(other.save("some server"), belief.save("some server"));
}

TEST(VersionedBelief, RefusesWhatIsNotItsOwnAndStaysAsItWas) {
  VersionedBelief belief(kStart);
  const std::string before = belief.save("some server");
  const std::string wider = VersionedBelief({random_matrix(3, 5, 1), random_matrix(1, 2, 2)}).save("some server");
  EXPECT_THROW_MESSAGE(belief.restore(wider, "some server"), BadState, "matrix 0 is 3 x 5, expected 3 x 2");
  const std::string fewer = VersionedBelief({kStart[0]}).save("some server");
  EXPECT_THROW_MESSAGE(belief.restore(fewer, "some server"), BadState, "1 matrices, expected 2");
  Belief broken = kStart;
  broken[1](0, 1) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(
      belief.restore(VersionedBelief(broken).save("some server"), "some server"), BadState, "matrix 1 holds nan");
  EXPECT_THROW(belief.restore(before, "another server"), BadState);
  EXPECT_EQ(belief.save("some server"), before);
  EXPECT_NE(belief.objection({1, 0, {kStart[0]}}), "");
  EXPECT_EQ(belief.objection({1, 0, kNext}), "");
}

}  // namespace
}  // namespace fedstein
