// SPDX-License-Identifier: Apache-2.0
// Agents keep what was sent, not what they computed: after rounds in which every update was changed on its way, what
// the agents hold and what the server holds still belong together.
#include <gtest/gtest.h>

#include "fedstein/algorithm/with_codec.h"
#include "fedstein/federated/eight_bit_codec.h"
#include "fedstein/federated/state.h"
#include "fedstein/methods/particles/factor.h"
#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class AsSent : public testing::Test {
 protected:
  Federation federation(const Algorithm& algorithm, const std::map<std::string, std::string>& texts = {}) const {
    Settings settings(algorithm.settings);
    for (const std::string key : {"particles", "local_steps"}) {
      if (settings.has(key)) settings.set(key, Index{6});
    }
    for (const auto& [key, value] : texts) settings.set(key, value);
    return Federation(algorithm, settings, *world_.model, world_.shards(), {.seed = 4});
  }
  static void run(Federation& made, const std::vector<std::vector<Index>>& rounds) {
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    coordinate(made.server(), ListedSchedule(rounds), transport, recorder, {.rounds = 6});
    for (const RoundRecord& record : recorder.records) ASSERT_FALSE(record.folded.empty());
  }
  // A round of one agent in which something else arrives than what the agent computed. What arrived.
  static Update disturbed_round(Federation& made) {
    const Task task = made.server().plan(1, {0}).front();
    Update sent = made.agent(0).update(task);
    sent.belief.front().array() += 0.25_r;
    made.agent(0).settle(made.server().fold(1, {sent}).front(), sent);
    return sent;
  }
  // What CodedAgent wraps.
  static std::string inner_state(const AgentSide& agent) {
    const std::string bytes = agent.save();
    return StateReader(bytes, "coded agent").text();
  }

  World world_ = logistic_world(false);
  std::shared_ptr<const UpdateCodec> lossy_ = std::make_shared<EightBitCodec>();
};

TEST_F(AsSent, DsvgdDistilsWhatTheServerReceived) {
  for (const std::string kind : {"score", "svgd"}) {
    const Algorithm& dsvgd = algorithm_named("dsvgd");
    Federation made = federation(dsvgd, {{"distillation", kind}});
    const Particles start = made.server().particles();
    const Update sent = disturbed_round(made);
    ParticleOptions options;
    options.particles = 6;
    options.local_steps = 6;
    const auto expected = make_factor(*world_.model, options, {.kind = kind}, start);
    expected->distil({1, 0, start, sent.belief.front()});
    const std::string bytes = made.agent(0).save();
    StateReader reader(bytes, "dsvgd agent, factor " + kind);
    const std::vector<Matrix> memory = reader.matrices();
    ASSERT_EQ(memory.size(), expected->memory().size());
    for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_TRUE(identical(memory[i], expected->memory()[i])) << kind;
  }
}

TEST_F(AsSent, PDsvgdKeepsWhatTheServerReceived) {
  Federation made = federation(algorithm_named("p-dsvgd"));
  const Update sent = disturbed_round(made);
  const std::string bytes = made.agent(0).save();
  StateReader reader(bytes, "p-dsvgd agent");
  reader.matrix();
  reader.matrix();
  const auto accepted = read_round(reader, 6, 4);
  ASSERT_TRUE(accepted);
  EXPECT_TRUE(identical(accepted->after, sent.belief.front()));

  Federation paper = federation(algorithm_named("p-dsvgd"), {{"fold", "paper"}, {"distillation", "svgd"}});
  const Update local = disturbed_round(paper);
  const std::string state = paper.agent(0).save();
  StateReader kept(state, "p-dsvgd agent, fold paper");
  EXPECT_TRUE(identical(kept.matrices().front(), local.belief.front()));
}

// c is the mean of the c_k, whatever a codec lost.
TEST_F(AsSent, ScaffoldsVariatesAddUp) {
  Federation made = federation(with_codec(algorithm_named("scaffold"), lossy_));
  run(made, {{0, 1, 2, 3}, {1, 2}});
  Matrix mean = Matrix::Zero(1, 4);
  for (Index k = 0; k < 4; ++k) {
    const std::string bytes = inner_state(made.agent(k));
    mean += StateReader(bytes, "scaffold agent").matrix() / 4;
  }
  EXPECT_GT(mean.norm(), 0);
  EXPECT_TRUE(close(made.server().plan(9, {0}).front().belief[1], mean, 1e-5));
}

// The server's x is the mean of what arrived, and the mean over all agents of what each has moved.
TEST_F(AsSent, FedDynsMovesAddUp) {
  Federation made = federation(algorithm_named("feddyn"));
  Index round = 0;
  for (const std::vector<Index>& agents : std::vector<std::vector<Index>>{{0, 1, 2, 3}, {1, 2}}) {
    ++round;
    std::vector<Update> sent;
    Matrix arrived = Matrix::Zero(1, 4);
    for (const Task& task : made.server().plan(round, agents)) {
      sent.push_back(made.agent(task.agent).update(task));
      sent.back().belief.front().array() += 0.25_r * static_cast<Real>(task.agent);
      arrived += sent.back().belief.front() / static_cast<Real>(agents.size());
    }
    const std::vector<Verdict> verdicts = made.server().fold(round, sent);
    for (std::size_t i = 0; i < sent.size(); ++i) made.agent(sent[i].agent).settle(verdicts[i], sent[i]);
    Matrix moved = Matrix::Zero(1, 4);
    for (Index k = 0; k < 4; ++k) {
      const std::string bytes = made.agent(k).save();
      moved += StateReader(bytes, "feddyn agent").matrix() / 4;
    }
    EXPECT_GT(moved.norm(), 0.1);
    EXPECT_TRUE(close(made.particles(), Matrix(arrived + moved), 1e-5)) << round;
  }
}

// c is the mean of the c_k, as for SCAFFOLD.
TEST_F(AsSent, ScaffoldMsVariatesAddUp) {
  Federation made = federation(with_codec(algorithm_named("scaffold-m"), lossy_));
  run(made, {{0, 1, 2, 3}, {1, 2}});
  Matrix mean = Matrix::Zero(1, 4);
  for (Index k = 0; k < 4; ++k) {
    const std::string bytes = inner_state(made.agent(k));
    mean += StateReader(bytes, "scaffold-m agent").matrix() / 4;
  }
  EXPECT_GT(mean.norm(), 0);
  EXPECT_TRUE(close(made.server().plan(9, {0}).front().belief[1], mean, 1e-5));
}

// C is the sum of the c_k, whatever a codec lost.
TEST_F(AsSent, VrFaldsVariatesAddUp) {
  Federation made = federation(with_codec(algorithm_named("vr-fald"), lossy_));
  run(made, {{0, 1, 2, 3}, {1, 2}});
  Matrix sum = Matrix::Zero(6, 4);
  for (Index k = 0; k < 4; ++k) {
    const std::string bytes = inner_state(made.agent(k));
    sum += StateReader(bytes, "vr-fald agent").matrices().back();
  }
  EXPECT_GT(sum.norm(), 0);
  EXPECT_TRUE(close(made.server().plan(9, {0}).front().belief[1], sum, 1e-5));
}

// q is the prior times all factors.
TEST_F(AsSent, PviFactorsAddUp) {
  const World world = conjugate_world();  // a Gaussian prior, which stays what it is
  const Algorithm method = with_codec(algorithm_named("pvi"), lossy_);
  Settings settings(method.settings);
  settings.set("local_steps", Index{20});
  Federation made(method, settings, *world.model, world.shards(), {.seed = 4});
  const Belief prior = made.server().plan(1, {0}).front().belief;
  run(made, {{0, 1, 2, 3}, {1, 2}});
  Belief sum = prior;
  for (Index k = 0; k < 4; ++k) {
    const std::string bytes = inner_state(made.agent(k));
    StateReader reader(bytes, "pvi agent");
    reader.integer();
    const Belief factor = reader.matrices();
    for (std::size_t i = 0; i < 2; ++i) sum[i] += factor[i];
  }
  const Belief q = made.server().plan(9, {0}).front().belief;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT((q[i] - prior[i]).norm(), 0.1);
    EXPECT_TRUE(close(q[i], sum[i], 1e-5));
  }
}

// The server's line is the sum of the agents' lines.
TEST_F(AsSent, CurvatureLinesAddUp) {
  Federation made = federation(with_codec(algorithm_named("p-dsvgd"), lossy_), {{"factor", "curvature"}});
  run(made, {{0, 1, 2, 3}, {1, 2}});
  Matrix intercept = Matrix::Zero(6, 4), slope = Matrix::Zero(1, 4);
  for (Index k = 0; k < 4; ++k) {
    const std::string bytes = inner_state(made.agent(k));
    const std::vector<Matrix> line = StateReader(bytes, "curvature agent, parallel").matrices();
    intercept += line.front();
    slope += line.back();
  }
  const Belief belief = made.server().plan(9, {0}).front().belief;
  EXPECT_GT(intercept.norm(), 0.1);
  EXPECT_TRUE(close(belief[2], intercept, 1e-5));
  EXPECT_TRUE(close(belief[3], slope, 1e-5));
}

// Also after a restart between upload and verdict, when nothing but what was sent says which surrogate the server has.
TEST_F(AsSent, FsgldKeepsTheSurrogateThatTravelled) {
  Federation made = federation(algorithm_named("fsgld"));
  const Task task = made.server().plan(1, {0}).front();
  Update sent = made.agent(0).update(task);
  sent.belief.at(2) *= 2;
  Federation restarted = federation(algorithm_named("fsgld"));
  restarted.agent(0).restore(made.agent(0).save());
  restarted.agent(0).settle({.round = 1, .agent = 0, .folded = true}, sent);
  const std::string bytes = restarted.agent(0).save();
  StateReader reader(bytes, "fsgld agent");
  reader.integer();
  EXPECT_EQ(reader.integer(), 1);
  EXPECT_TRUE(identical(reader.matrix(), sent.belief[2]));
}

TEST_F(AsSent, AFoldedUpdateThatWasNeverSentIsAMistakeOfTheTransport) {
  Federation made = federation(algorithm_named("dsvgd"));
  made.agent(0).update(made.server().plan(1, {0}).front());
  EXPECT_THROW_MESSAGE(made.agent(0).settle({.round = 1, .agent = 0, .folded = true}, {}),
                       InvalidArgument,
                       "what was sent has 0 matrices");
  made.agent(0).update(made.server().plan(1, {0}).front());
  EXPECT_THROW_MESSAGE(made.agent(0).settle({.round = 1, .agent = 0, .folded = true}, {1, 0, {Matrix::Ones(2, 2)}}),
                       InvalidArgument,
                       "what was sent is 2 x 2, expected 6 x 4");
}

}  // namespace
}  // namespace fedstein
