// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/plain_sides.h"

#include <gtest/gtest.h>

#include "fedstein/federated/coordinator.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Belief of(Real value) {
  return {Matrix::Constant(2, 3, value)};
}

PlainServer summing_server() {
  return {"summing", of(1), [](const Belief& belief, const std::vector<Update>& updates) {
            Belief next = belief;
            for (const Update& update : updates) next[0] += update.belief[0];
            return next;
          }};
}

class Silent : public Observer {
  Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
};

TEST(PlainSides, RunRoundsFromOneFunctionEach) {
  PlainServer server = summing_server();
  PlainAgent one("one", [](const Task& task) { return of(static_cast<Real>(task.round)); });
  PlainAgent ten("ten", [](const Task& task) { return of(10 * static_cast<Real>(task.round)); });
  InProcessTransport transport({&one, &ten});
  Silent silent;
  coordinate(server, RandomFraction(2, 1, 1), transport, silent, {.rounds = 2});
  EXPECT_TRUE(identical(server.particles(), of(1 + 11 + 22)[0]));
  EXPECT_EQ(server.plan(3, {0, 1})[1].version, 2);
  EXPECT_EQ(one.state_size(), 0);

  PlainServer restored = summing_server();
  restored.restore(server.save());
  EXPECT_EQ(restored.save(), server.save());
  EXPECT_TRUE(identical(restored.particles(), server.particles()));
}

TEST(PlainSides, RefuseWhatIsNotABeliefAndStayAsTheyWere) {
  PlainServer server = summing_server();
  EXPECT_NE(server.objection({1, 0, {Matrix::Zero(1, 1)}}), "");
  EXPECT_EQ(server.objection({1, 0, of(5)}), "");
  const std::string before = server.save();
  const Real most = std::numeric_limits<Real>::max();
  EXPECT_THROW_MESSAGE(server.fold(4, {{4, 0, of(most)}, {4, 1, of(most)}}),
                       Divergence,
                       "summing: the belief is not finite after round 4");
  PlainServer shrinking(
      "shrinking", of(1), [](const Belief&, const std::vector<Update>&) { return Belief{Matrix::Zero(1, 1)}; });
  EXPECT_THROW_MESSAGE(
      shrinking.fold(1, {{1, 0, of(5)}}), InvalidArgument, "the next belief has other shapes: matrix 0");
  EXPECT_EQ(server.save(), before);
  EXPECT_EQ(server.fold(4, {{4, 1, of(5)}}).at(0).agent, 1);
  EXPECT_THROW(shrinking.restore(before), BadState);
}

}  // namespace
}  // namespace fedstein
