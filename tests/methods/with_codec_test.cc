// SPDX-License-Identifier: Apache-2.0
// Every method behind a codec: one that changes nothing gives the same bits, one that loses digits leaves the agents
// with what the server folded.
#include "fedstein/algorithm/with_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fedstein/federated/eight_bit_codec.h"
#include "fedstein/federated/state.h"
#include "fedstein/methods/methods.h"
#include "fedstein/methods/registry.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class Identity : public UpdateCodec {
 public:
  Update encode(const Update& update, const Task& /*task*/) const override { return update; }
  Update decode(const Update& coded, const Task& /*task*/) const override { return coded; }
  std::string objection(const Update& /*coded*/, const Task& /*task*/) const override { return {}; }
};

Settings small_settings(const Algorithm& algorithm) {
  Settings settings(algorithm.settings);
  for (const std::string steps : {"local_steps", "distillation_steps", "server_steps"}) {
    if (settings.has(steps)) settings.set(steps, Index{10});
  }
  if (settings.has("particles")) settings.set("particles", Index{6});
  if (settings.has("batch")) settings.set("batch", Index{7});
  if (settings.has("surrogate_steps")) settings.set("surrogate_steps", Index{20});
  if (settings.has("distillation_epochs")) settings.set("distillation_epochs", Index{2});
  return settings;
}

Federation make_federation(const Algorithm& algorithm, const World& world, const Settings& settings) {
  const Batch all{world.x, world.y};
  const std::vector<Batch> shards = algorithm.centralised ? std::vector<Batch>{all} : world.shards();
  return Federation(algorithm, settings, *world.model, shards, {4, &world.x});
}

std::vector<Index> everybody(const Algorithm& algorithm, const Federation& federation) {
  std::vector<Index> all;
  for (Index k = 0; k < (algorithm.parallel ? federation.agents() : 1); ++k) all.push_back(k);
  return all;
}

class BehindACodec : public testing::TestWithParam<std::string> {
 protected:
  const Algorithm& algorithm() const { return algorithm_named(GetParam()); }
  Recorder run(Federation& federation, Index first, Index last) const {
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    const ListedSchedule schedule({everybody(algorithm(), federation)});
    coordinate(federation.server(), schedule, transport, recorder, {.first_round = first, .rounds = last});
    return recorder;
  }
  Federation federation(const std::shared_ptr<const UpdateCodec>& codec) const {
    const Algorithm method = codec == nullptr ? algorithm() : with_codec(algorithm(), codec);
    return make_federation(method, world_, small_settings(algorithm()));
  }

  World world_ = logistic_world(false);
};

TEST_P(BehindACodec, TheIdentityGivesTheSameBits) {
  Federation plain = federation(nullptr);
  Federation coded = federation(std::make_shared<Identity>());
  const Recorder expected = run(plain, 1, 4), found = run(coded, 1, 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(identical(found.particles[i], expected.particles[i]));
  EXPECT_EQ(coded.server().save(), plain.server().save());
  for (Index k = 0; k < plain.agents(); ++k) {
    const std::string bytes = coded.agent(k).save();
    StateReader reader(bytes, "coded agent");
    EXPECT_EQ(reader.text(), plain.agent(k).save());
    EXPECT_EQ(coded.agent(k).state_size(), plain.agent(k).state_size());
  }
}

TEST_P(BehindACodec, EightBitsRunGoOnAfterARestoreAndTravelInFewerBytes) {
  Federation whole = federation(std::make_shared<EightBitCodec>());
  const Recorder all = run(whole, 1, 5);
  for (const RoundRecord& record : all.records) EXPECT_FALSE(record.folded.empty()) << record.round;

  Federation before = federation(std::make_shared<EightBitCodec>());
  run(before, 1, 2);
  const std::string kept = before.save();
  Federation after = federation(std::make_shared<EightBitCodec>());
  after.restore(kept);
  const Recorder rest = run(after, 3, 5);
  EXPECT_TRUE(identical(rest.particles.back(), all.particles.back()));
  EXPECT_EQ(after.save(), whole.save());
}

// Between the upload and its verdict, at both ends.
TEST_P(BehindACodec, EightBitsInTheMiddleOfARound) {
  const auto codec = std::make_shared<EightBitCodec>();
  Federation quiet = federation(codec), broken = federation(codec);
  run(quiet, 1, 1);
  run(broken, 1, 1);
  const std::vector<Index> agents = everybody(algorithm(), quiet);
  const auto round_of = [&](Federation& made, bool restarts) {
    std::vector<Update> sent;
    for (const Task& task : made.server().plan(2, agents)) sent.push_back(made.agent(task.agent).update(task));
    Federation fresh = federation(codec);
    Federation& goes_on = restarts ? fresh : made;
    if (restarts) {
      fresh.server().restore(made.server().save());
      for (Index k = 0; k < made.agents(); ++k) fresh.agent(k).restore(made.agent(k).save());
      EXPECT_THAT(fresh.server().objection(sent.front()), HasSubstr("has no task of round 2"));
      fresh.server().plan(2, agents);
    }
    for (const Update& update : sent) EXPECT_EQ(goes_on.server().objection(update), "");
    const std::vector<Verdict> verdicts = goes_on.server().fold(2, sent);
    for (std::size_t i = 0; i < sent.size(); ++i) goes_on.agent(sent[i].agent).settle(verdicts.at(i), sent[i]);
    return goes_on.save();
  };
  EXPECT_EQ(round_of(broken, true), round_of(quiet, false));
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         BehindACodec,
                         testing::Values("dsvgd",
                                         "p-dsvgd",
                                         "u-dsvgd",
                                         "svgd",
                                         "sgld",
                                         "dsgld",
                                         "fsgld",
                                         "fedavg",
                                         "fedprox",
                                         "scaffold",
                                         "scaffold-m",
                                         "fedadagrad",
                                         "fedadam",
                                         "fedyogi",
                                         "fednova",
                                         "feddyn",
                                         "mime",
                                         "pvi",
                                         "pmd",
                                         "npv",
                                         "ensemble",
                                         "fald",
                                         "vr-fald",
                                         "fedpa",
                                         "fedep",
                                         "sdsvgd"),
                         [](const auto& which) {
                           std::string name = which.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(CodedServer, HostileUpdatesAreRefusedAndLeaveNoTrace) {
  const World world = logistic_world(false);
  const Algorithm method = with_codec(algorithm_named("dsvgd"), std::make_shared<EightBitCodec>());
  Federation made = make_federation(method, world, small_settings(method));
  const Task task = made.server().plan(1, {0}).front();
  const Update good = made.agent(0).update(task);
  EXPECT_EQ(made.server().objection(good), "");
  EXPECT_EQ(made.server().answer_objection(good, task), "");
  // As it would travel without the codec.
  EXPECT_THAT(made.server().objection({1, 0, task.belief}), HasSubstr("eight-bit matrix 0 is 6 x 4"));
  EXPECT_THAT(made.server().answer_objection({1, 0, task.belief}, task), HasSubstr("eight-bit matrix 0 is 6 x 4"));
  // Well coded, but of another shape than the method's.
  const Update other = EightBitCodec().encode({1, 0, {Matrix::Ones(2, 2)}}, task);
  EXPECT_THAT(made.server().objection(other), HasSubstr("matrix 0 is 2 x 2, expected 6 x 4"));
  Update stranger = good;
  stranger.agent = 3;
  EXPECT_THAT(made.server().objection(stranger), HasSubstr("agent 3 has no task of round 1"));
}

// Bounds judge what an update means: codes have sizes of their own.
TEST(WithCodec, ServersTellWhatACodedUpdateMeans) {
  const World world = logistic_world(false);
  const Algorithm plain = methods::fedavg({.local_steps = 3});
  Federation coded(with_codec(plain, std::make_shared<EightBitCodec>()), *world.model, world.shards(), {.seed = 4});
  Federation bare(plain, *world.model, world.shards(), {.seed = 4});
  const Task task = coded.server().plan(1, {0}).front();
  const Update sent = coded.agent(0).update(task);
  const std::optional<Belief> meant = coded.server().decoded(sent);
  ASSERT_TRUE(meant);
  EXPECT_EQ(coded.server().objection(sent), "");
  const Matrix exact = bare.agent(0).update(task).belief.front();
  EXPECT_LT((meant->front() - exact).norm(), 0.01_r * exact.norm());
  EXPECT_FALSE(bare.server().decoded(sent));
  Update lie = sent;
  lie.belief.front()(0, 0) = -1;
  EXPECT_FALSE(coded.server().decoded(lie));
}

}  // namespace
}  // namespace fedstein
