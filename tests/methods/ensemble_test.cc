// SPDX-License-Identifier: Apache-2.0
// An ensemble is its members and nothing else.
#include "fedstein/methods/ensemble.h"

#include <gtest/gtest.h>

#include <set>

#include "fedstein/federated/state.h"
#include "fedstein/methods/methods.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr std::uint64_t kSeed = 7;

class Ensemble : public testing::TestWithParam<std::string> {
 protected:
  Algorithm ensemble(Index members) const {
    return methods::ensemble({.particles = members,
                              .member = GetParam(),
                              .local_steps = 5,
                              .batch = 7,
                              .step_rule = "plain",
                              .learning_rate = 0.1});
  }
  Algorithm member() const {
    if (GetParam() == "scaffold") return methods::scaffold({.local_steps = 5, .batch = 7, .learning_rate = 0.1});
    return methods::fedavg({.local_steps = 5, .batch = 7, .step_rule = "plain", .learning_rate = 0.1});
  }
  Federation federation(const Algorithm& algorithm, std::uint64_t seed = kSeed) const {
    return Federation(algorithm, *world_.model, world_.shards(), {.seed = seed});
  }
  static Particles run(Federation& made) {
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    coordinate(made.server(), ListedSchedule({{0, 1, 2, 3}, {0, 2}}), transport, recorder, {.rounds = 5});
    return recorder.particles.back();
  }

  World world_ = network_world(true);  // a model with starts of their own
};

TEST_P(Ensemble, OfOneIsItsMethodToTheBit) {
  Federation one = federation(ensemble(1)), method = federation(member());
  EXPECT_TRUE(identical(run(one), run(method)));
}

TEST_P(Ensemble, HasMembersThatDoNotHearOfEachOther) {
  Federation all = federation(ensemble(3));
  const Particles start = all.server().particles();
  const Particles found = run(all);
  ASSERT_EQ(found.rows(), 3);
  for (Index m = 0; m < 3; ++m) {
    Federation alone = federation(member(), member_seed(kSeed, m));
    EXPECT_TRUE(identical(alone.server().particles(), Particles(start.row(m)))) << "start of member " << m;
    EXPECT_TRUE(identical(run(alone), Particles(found.row(m)))) << "member " << m;
    for (Index other = 0; other < m; ++other) EXPECT_GT((found.row(m) - found.row(other)).norm(), 0.1);
  }
}

TEST_P(Ensemble, RefusesWhatIsNotItsShapeOrItsState) {
  Federation made = federation(ensemble(3)), larger = federation(ensemble(4));
  const std::string before = made.save();
  const Task task = made.server().plan(1, {1}).front();
  Update update = made.agent(1).update(task);
  EXPECT_EQ(made.server().objection(update), "");
  update.agent = 9;
  EXPECT_NE(made.server().objection(update), "");
  update = larger.agent(1).update(larger.server().plan(1, {1}).front());
  EXPECT_THAT(made.server().objection(update), testing::HasSubstr("4 x"));
  EXPECT_THROW(made.server().restore(larger.server().save()), BadState);
  EXPECT_THROW(made.agent(0).restore(larger.agent(0).save()), BadState);
  EXPECT_THROW(larger.server().restore(made.server().save()), BadState);
  made.agent(1).settle({.round = 1, .agent = 1, .folded = false}, {});
  EXPECT_EQ(made.save(), before);
}

INSTANTIATE_TEST_SUITE_P(Members, Ensemble, testing::Values("fedavg", "scaffold"), [](const auto& which) {
  return which.param;
});

TEST(MemberSeed, IsTheFederationsOwnForTheFirstAndNobodyElsesForTheRest) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    EXPECT_EQ(member_seed(trial, 0), trial);
    for (Index m = 0; m < 40; ++m) seeds.insert(member_seed(trial, m));
  }
  EXPECT_EQ(seeds.size(), 50U * 40U);
}

}  // namespace
}  // namespace fedstein
