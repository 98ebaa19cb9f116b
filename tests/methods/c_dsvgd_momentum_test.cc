// SPDX-License-Identifier: Apache-2.0
// c-dsvgd's momentum in the steps: what agents are sent, how they walk with it, what the server makes of it.
#include <gtest/gtest.h>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/likelihood_scores.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr double kOwnSay = 0.2;

// The mean of a Gaussian. Two agents of unlike size saw it on opposite sides. Particles are not coupled, as those of
// large networks, and a step sees all rows.
struct World {
  World() : x(random_matrix(90, 2, 1)), y(Vector::Zero(90)) {
    x.topRows(50).array() += 5;
    x.bottomRows(40).array() -= 5;
  }
  Batch all() const { return {x, y}; }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 50), all().middle_rows(50, 40)}; }
  std::vector<Batch> alike() const { return {all().middle_rows(0, 25), all().middle_rows(25, 25)}; }
  methods::CDsvgdOptions options() const {
    return {.particles = 3, .local_steps = 4, .batch = 1000, .kernel = "none", .repulsion = "none"};
  }
  Federation federation() const { return Federation(methods::c_dsvgd(options()), model, shards(), {.seed = 1}); }

  // The mean score a row of agent k, with the prior's share.
  Matrix score(const Particles& at, const Batch& rows) const {
    Matrix loglik = Matrix::Zero(at.rows(), at.cols()), prior = loglik;
    FullLikelihood(model, rows).add(at, 0, 1 / static_cast<double>(rows.rows()), loglik);
    PriorScore(model).add(at, 0, 1.0 / 90, prior);
    return loglik + prior;
  }

  ConjugateGaussian model{{DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)}, DoubleMatrix::Identity(2, 2) * 4};
  Matrix x;
  Vector y;
};

// A round as the coordinator has it.
std::vector<Update> take_round(Federation& made, Index round, const std::vector<Index>& agents) {
  std::vector<Update> updates;
  for (const Task& task : made.server().plan(round, agents)) updates.push_back(made.agent(task.agent).update(task));
  const std::vector<Verdict> verdicts = made.server().fold(round, updates);
  for (std::size_t i = 0; i < verdicts.size(); ++i) made.agent(updates[i].agent).settle(verdicts[i], updates[i]);
  return updates;
}

TEST(CDsvgdMomentum, StartsWithTheMeanScoreOfAllRows) {
  const World world;
  Federation made = world.federation();
  const Particles start = made.server().plan(1, {0, 1}).front().belief[0];
  take_round(made, 1, {0, 1});
  const Task task = made.server().plan(2, {0, 1}).front();
  const Matrix expected =
      (5 * world.score(start, world.shards()[0]) + 4 * world.score(start, world.shards()[1])) / Real{9};
  EXPECT_TRUE(close(task.belief[1], expected, 1e-5));
  EXPECT_NEAR(static_cast<double>(task.belief[3](0, 0)), kOwnSay, 1e-6);
}

// The algorithm of c_dsvgd.h, written down once more.
TEST(CDsvgdMomentum, AnAgentsStepsAreThoseOfTheFormula) {
  const World world;
  Federation made = world.federation();
  const Particles start = made.server().plan(1, {0, 1}).front().belief[0];
  take_round(made, 1, {0, 1});
  const Task task = made.server().plan(2, {0, 1}).front();
  const Batch rows = world.shards()[0];
  const Matrix own = world.score(start, rows);  // c_k
  Particles at = task.belief[0];
  Matrix sum = Matrix::Zero(at.rows(), at.cols());
  RowVector squares = RowVector::Zero(at.cols());
  for (Index l = 0; l < 4; ++l) {
    const Matrix change = world.score(at, rows) - own;
    sum += change;
    squares += change.cwiseAbs2().colwise().mean();
    const Matrix direction = static_cast<Real>(kOwnSay) * change + task.belief[1];
    at += (direction.array().rowwise() * task.belief[2].row(0).array()).matrix();
  }
  const Update update = made.agent(0).update(task);
  EXPECT_TRUE(close(update.belief[0], at - task.belief[0], 1e-4));
  EXPECT_TRUE(close(update.belief[1], sum / Real{4}, 1e-4));
  EXPECT_TRUE(close(update.belief[3], (squares / Real{4}).cwiseSqrt(), 1e-3));
}

TEST(CDsvgdMomentum, TheServerKeepsTheMeanDirectionOfTheRound) {
  const World world;
  Federation made = world.federation();
  take_round(made, 1, {0, 1});
  const Task before = made.server().plan(2, {0, 1}).front();
  const std::vector<Update> updates = take_round(made, 2, {0, 1});
  const Task after = made.server().plan(3, {0, 1}).front();
  const Matrix c = made.server().plan(3, {0}).front().belief[1];  // alone an agent is sent C itself
  EXPECT_EQ(made.server().plan(3, {0}).front().belief[3](0, 0), 1);
  const Matrix direction =
      (5 * updates[0].belief[1] + 4 * updates[1].belief[1]) / Real{9} * static_cast<Real>(kOwnSay) + before.belief[1];
  EXPECT_TRUE(
      close(after.belief[1], static_cast<Real>(kOwnSay) * c + static_cast<Real>(1 - kOwnSay) * direction, 1e-4));
}

TEST(CDsvgdMomentum, GoesBackWithARoundThatIsUndone) {
  const World world;
  Federation made = world.federation();
  take_round(made, 1, {0, 1});
  take_round(made, 2, {0, 1});
  const Task before = made.server().plan(3, {0, 1}).front();
  take_round(made, 3, {0, 1});
  EXPECT_FALSE(close(made.server().plan(4, {0, 1}).front().belief[1], before.belief[1], 1e-6));
  std::vector<Update> updates;
  for (const Task& task : made.server().plan(4, {0, 1})) {
    updates.push_back(made.agent(task.agent).update(task));
    updates.back().belief[2](0, 0) -= 10;  // a belief that ruins everything
  }
  made.server().fold(4, updates);
  const Task again = made.server().plan(5, {0, 1}).front();
  EXPECT_TRUE(identical(again.belief[0], before.belief[0]));
  EXPECT_TRUE(identical(again.belief[1], before.belief[1]));
}

TEST(CDsvgdMomentum, StandsStillAtTheMode) {
  const World world;
  // The posterior's mean: of precision 1 + 90 / 4.
  const RowVector middle = world.x.colwise().sum() / Real{4} / static_cast<Real>(1 + 90 / 4.0);
  const Particles mode = middle.replicate(3, 1);
  methods::CDsvgdOptions options = world.options();
  options.given_start = mode;
  Federation made(methods::c_dsvgd(options), world.model, world.shards(), {.seed = 1});
  for (Index round = 1; round <= 10; ++round) take_round(made, round, {0, 1});
  EXPECT_TRUE(close(made.server().particles(), mode, 1e-4));
}

TEST(CDsvgdMomentum, IsTheServersWhereAgentsAreAlike) {
  const World world;
  Federation unlike = world.federation();
  Federation alike(methods::c_dsvgd(world.options()), world.model, world.alike(), {.seed = 1});
  for (Index round = 1; round <= 2; ++round) {
    take_round(unlike, round, {0, 1});
    take_round(alike, round, {0, 1});
  }
  EXPECT_GT(unlike.server().figures().at("difference"), 2);
  EXPECT_LT(alike.server().figures().at("difference"), 1);
  EXPECT_NEAR(static_cast<double>(unlike.server().plan(3, {0, 1}).front().belief[3](0, 0)), kOwnSay, 1e-6);
  EXPECT_EQ(alike.server().plan(3, {0, 1}).front().belief[3](0, 0), 1);
}

TEST(CDsvgdMomentum, IsTheServersWhereParticlesAreCoupled) {
  const World world;
  methods::CDsvgdOptions options = world.options();
  options.kernel = "rbf";
  Federation made(methods::c_dsvgd(options), world.model, world.shards(), {.seed = 1});
  for (Index round = 1; round <= 4; ++round) take_round(made, round, {0, 1});
  EXPECT_EQ(made.server().plan(5, {0, 1}).front().belief[3](0, 0), 1);
  EXPECT_TRUE(identical(made.server().plan(5, {0, 1}).front().belief[1], made.server().plan(5, {0}).front().belief[1]));
}

}  // namespace
}  // namespace fedstein
