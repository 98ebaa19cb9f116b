// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fsgld.h"

#include <gtest/gtest.h>

#include <limits>

#include "fedstein/federated/state.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(FitLine, RecoversALineAndRefusesAUselessSlope) {
  const Matrix theta = random_matrix(20, 3, 1);
  Matrix scores(20, 3);
  scores.col(0) = 2 - 5 * theta.col(0).array();
  scores.col(1) = 1 + 3 * theta.col(1).array();  // no Gaussian: a constant, the mean score
  scores.col(2).setConstant(4);
  const Surrogate found = fit_line(theta, scores);
  Surrogate expected(2, 3);
  expected << 2, static_cast<Real>(scores.col(1).cast<double>().mean()), 4, 5, 0, 0;
  EXPECT_TRUE(close(found, expected));
  // One point says nothing of a slope.
  EXPECT_EQ(fit_line(theta.topRows(1), scores.topRows(1))(1, 0), 0);
}

TEST(SurrogateScore, IsALineInEveryCoordinate) {
  Surrogate surrogate(2, 2);
  surrogate << 1, 2, 3, 0.5_r;
  const Matrix theta = random_matrix(4, 2, 1);
  Matrix grad = Matrix::Ones(4, 2);
  SurrogateScore(surrogate).add(theta, 0, 2, grad);
  for (Index n = 0; n < 4; ++n) {
    EXPECT_NEAR(grad(n, 0), 1 + 2 * (1 - 3 * theta(n, 0)), 1e-5);
    EXPECT_NEAR(grad(n, 1), 1 + 2 * (2 - 0.5_r * theta(n, 1)), 1e-5);
  }
}

TEST(SurrogateScore, IsConstantBeyondItsReach) {
  Surrogate gaussian(2, 2);
  gaussian << 8, 0, 4, 0;  // mean 2, deviation 1/2: reach 5; the other coordinate has no end
  Surrogate line(2, 2);
  line << 1, 3, 2, 1;
  Matrix theta(3, 2);
  theta << 100, 100, 7, 7, -100, -100;
  Matrix grad = Matrix::Zero(3, 2);
  SurrogateScore(line, Reach(gaussian)).add(theta, 0, 1, grad);
  Matrix expected(3, 2);
  expected << 1 - 2 * 7, 3 - 100, 1 - 2 * 7, 3 - 7, 1 + 2 * 3, 3 + 100;
  EXPECT_TRUE(close(grad, expected));
}

// Chains that start a thousand deviations out, with a step that is far too long for the posterior: DSGLD's scores are
// bounded here, and so must be what FSGLD adds to them.
TEST(FsgldFarOut, StaysFinite) {
  const Matrix x = random_matrix(4000, 3, 1);
  Vector y(4000);
  for (Index i = 0; i < 4000; ++i) y(i) = x(i, 0) + 0.3_r * x(i, 1) > 0 ? 1 : -1;
  const LogisticRegression model(3, {.prior_scale = 0.0001});
  Settings settings(algorithm_named("fsgld").settings);
  settings.set("a0", 0.1);
  settings.set("surrogate_steps", Index{200});
  const Batch all{x, y};
  Federation federation(
      algorithm_named("fsgld"), settings, model, {all.middle_rows(0, 3000), all.middle_rows(3000, 1000)}, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(2), transport, recorder, {.rounds = 20});
  for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
  EXPECT_LT(federation.server().particles().leftCols(3).cwiseAbs().maxCoeff(), 1e4);
}

// Two coordinates of noise variance 4 and 1/4, three agents of 2, 3 and 0 rows.
class Fsgld : public testing::Test {
 protected:
  Fsgld() : model_(prior(), noise()), x_(random_matrix(5, 2, 1)) {
    settings_.set("particles", Index{6});
    settings_.set("local_steps", Index{5});
    settings_.set("surrogate_steps", Index{20});
  }
  static Gaussian prior() { return {DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)}; }
  static DoubleMatrix noise() { return DoubleVector((DoubleVector(2) << 4, 0.25).finished()).asDiagonal(); }

  std::vector<Batch> shards() const {
    const Batch all{x_, y_};
    return {all.middle_rows(0, 2), all.middle_rows(2, 3), all.middle_rows(5, 0)};
  }
  Federation federation() const {
    return Federation(algorithm_named("fsgld"), settings_, model_, shards(), {.seed = 3});
  }

  ConjugateGaussian model_;
  Matrix x_;
  Vector y_ = Vector::Zero(5);
  Settings settings_{algorithm_named("fsgld").settings};
};

TEST_F(Fsgld, SurrogatesOfGaussianLikelihoodsAreExact) {
  for (Index k = 0; k < 3; ++k) {
    const Batch shard = shards()[static_cast<std::size_t>(k)];
    const AgentContext context{.model = &model_, .data = shard, .agent = k, .total_rows = 5, .seed = 3};
    LangevinOptions options;
    options.temperature = 2;
    const auto n = static_cast<Real>(shard.rows());
    Surrogate expected(2, 2);
    const Matrix sum = n > 0 ? Matrix(shard.x.colwise().sum()) : Matrix::Zero(1, 2);
    expected << sum(0, 0) / 8, sum(0, 1) * 2, n / 8, n * 2;
    EXPECT_TRUE(close(fit_surrogate(context, options, 20), expected, 10 * kValueTolerance)) << "agent " << k;
  }
}

TEST_F(Fsgld, SurrogatesTravelOnceAndAddUp) {
  Federation federation = this->federation();
  ServerSide& server = federation.server();
  std::vector<Surrogate> own(3);
  for (Index round = 1; round <= 6; ++round) {
    const Index k = (round - 1) % 3;
    const Task task = server.plan(round, {k}).front();
    const Update update = federation.agent(k).update(task);
    ASSERT_EQ(update.belief.size(), round <= 3 ? 3U : 2U);
    if (round <= 3) own[static_cast<std::size_t>(k)] = update.belief[2];
    const Update again = federation.agent(k).update(task);
    EXPECT_TRUE(identical(again.belief[0], update.belief[0]));
    ASSERT_EQ(server.objection(update), "");
    const std::vector<Verdict> verdicts = server.fold(round, {update});
    federation.agent(k).settle(verdicts.front(), update);
  }
  const Task task = server.plan(7, {0}).front();
  EXPECT_TRUE(close(task.belief[2], Matrix(own[1] + own[2])));
  EXPECT_EQ(task.belief[3](0, 0), 3);
}

TEST_F(Fsgld, AnUpdateNobodyFoldedIsSentAgain) {
  Federation federation = this->federation();
  const std::string before = federation.agent(0).save();
  const Task task = federation.server().plan(1, {0}).front();
  EXPECT_EQ(federation.agent(0).update(task).belief.size(), 3U);
  federation.agent(0).settle({.round = 1, .agent = 0, .folded = false}, {});
  EXPECT_EQ(federation.agent(0).save(), before);
  EXPECT_EQ(federation.agent(0).update(task).belief.size(), 3U);
}

TEST_F(Fsgld, AnAgentWithoutRowsReturnsItsChains) {
  Federation federation = this->federation();
  const Task task = federation.server().plan(1, {2}).front();
  EXPECT_TRUE(identical(federation.agent(2).update(task).belief[0], task.belief[0]));
}

TEST_F(Fsgld, TheFirstAgentDoesDsgld) {
  Federation federation = this->federation();
  const Algorithm& dsgld = algorithm_named("dsgld");
  Settings settings(dsgld.settings);
  settings.set("particles", Index{6});
  settings.set("local_steps", Index{5});
  Federation plain(dsgld, settings, model_, shards(), {.seed = 3});
  const Update corrected = federation.agent(0).update(federation.server().plan(1, {0}).front());
  const Update expected = plain.agent(0).update(plain.server().plan(1, {0}).front());
  EXPECT_TRUE(close(corrected.belief[0], expected.belief[0]));
}

TEST_F(Fsgld, EqualTurnsNeedTheNumberOfAgents) {
  const AgentContext lonely{.model = &model_, .data = shards()[0], .total_rows = 5};
  LangevinOptions options;
  options.shard_weight = "agents";
  EXPECT_THROW_MESSAGE(shard_weight(lonely, options), InvalidArgument, "the number of agents is not known");
  EXPECT_EQ(shard_weight({.model = &model_, .data = shards()[0], .total_rows = 5, .agents = 3}, options), 3);
}

TEST_F(Fsgld, ServerObjectsToWhatIsNoSurrogate) {
  Federation federation = this->federation();
  const ServerSide& server = federation.server();
  const Update good = federation.agent(0).update(server.plan(1, {0}).front());
  EXPECT_EQ(server.objection(good), "");
  Update bad = good;
  bad.belief[2](1, 0) = -1;
  EXPECT_EQ(server.objection(bad), "surrogate: a negative precision");
  bad = good;
  bad.belief[2](0, 0) = std::numeric_limits<Real>::infinity();
  EXPECT_NE(server.objection(bad), "");
  bad = good;
  bad.belief[2] = Matrix::Zero(2, 3);
  EXPECT_EQ(server.objection(bad), "surrogate: matrix 0 is 2 x 3, expected 2 x 2");
  bad = good;
  bad.belief.resize(1);
  EXPECT_EQ(server.objection(bad), "1 matrices, expected 2 or 3");
  bad = good;
  bad.agent = 3;
  EXPECT_EQ(server.objection(bad), "agent 3, expected 0 to 2");
}

}  // namespace
}  // namespace fedstein
