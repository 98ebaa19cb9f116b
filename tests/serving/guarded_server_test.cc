// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/guarded_server.h"
#include "fedstein/methods/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Real kHuge = std::numeric_limits<Real>::max() / 2;

// Logistic regression that nobody can compute with when the first coordinate falls below the last one.
class FragileModel : public LogisticRegression {
 public:
  FragileModel() : LogisticRegression(2) {}
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override {
    DoubleVector out = LogisticRegression::prior_log_density(theta);
    for (Index n = 0; n < theta.rows(); ++n) {
      if (theta(n, 0) < theta(n, 2)) out(n) = std::numeric_limits<double>::quiet_NaN();
    }
    return out;
  }
};

class Guarded : public testing::Test {
 protected:
  std::unique_ptr<ServerSide> averaging() const {
    const Algorithm& method = algorithm_named("fedavg");
    return method.make_server({.model = &model_, .rows = {10, 10, 10}, .seed = 1}, Settings(method.settings));
  }
  Update update(Index agent, Real value) const {
    const auto belief = averaging()->plan(1, {agent}).front().belief;
    Update out{1, agent, belief};
    out.belief[0].setConstant(value);
    return out;
  }

  LogisticRegression model_{2};
};

TEST_F(Guarded, ABeliefNobodyCouldComputeWithIsTakenBackAndTriedWithoutItsCause) {
  const auto plain = averaging();
  plain->fold(1, {update(0, 0.5_r), update(2, 0.25_r)});
  GuardedServer server(averaging(), model_);
  const std::vector<Verdict> verdicts = server.fold(1, {update(0, 0.5_r), update(1, kHuge), update(2, 0.25_r)});
  EXPECT_TRUE(server.particles() == plain->particles());
  ASSERT_EQ(verdicts.size(), 3U);
  for (const Verdict& verdict : verdicts) EXPECT_EQ(verdict.folded, verdict.agent != 1) << verdict.agent;
}

TEST_F(Guarded, WhenNothingIsLeftTheServerIsAsItWas) {
  GuardedServer server(averaging(), model_);
  const std::string before = server.save();
  EXPECT_THROW_MESSAGE(server.fold(1, {update(1, kHuge)}), Divergence, "would be of no use");
  EXPECT_EQ(server.save(), before);
}

TEST_F(Guarded, TheCauseNeedNotBeTheLargest) {
  // A model whose prior overflows where its last coordinate is large, as that of a log-precision does.
  const auto plain = averaging();
  plain->fold(1, {update(1, 40.0_r), update(2, 30.0_r)});
  Update small = update(0, 0.0_r);
  small.belief[0](0, 2) = 20;
  const FragileModel fragile;
  GuardedServer server(averaging(), fragile);
  const std::vector<Verdict> verdicts = server.fold(1, {small, update(1, 40.0_r), update(2, 30.0_r)});
  for (const Verdict& verdict : verdicts) EXPECT_EQ(verdict.folded, verdict.agent != 0) << verdict.agent;
  EXPECT_TRUE(server.particles() == plain->particles());
}

TEST_F(Guarded, AnHonestRoundIsTheInnerSides) {
  const auto plain = averaging();
  GuardedServer server(averaging(), model_);
  const std::vector<Update> updates = {update(0, 0.5_r), update(1, -40.0_r)};
  plain->fold(1, updates);
  server.fold(1, updates);
  EXPECT_EQ(server.save(), plain->save());
}

// c-dsvgd predicts with a mean of its particles. What agents are sent is further out, and is judged as well: here a log
// precision whose exponential is finite at the mean alone.
TEST_F(Guarded, WhatAgentsAreSentIsJudgedToo) {
  const Algorithm& method = algorithm_named("c-dsvgd");
  const Settings settings(method.settings);
  GuardedServer server(method.make_server({.model = &model_, .rows = {10, 10, 10}, .seed = 1}, settings), model_);
  const auto silent = [&](Index round, Index agent) {
    const Index particles = settings.integer("particles");
    const Matrix none = Matrix::Zero(particles, 3);
    return Update{round, agent, {none, none, Matrix::Zero(1, 2), Matrix::Zero(1, 3)}};
  };
  server.fold(1, {silent(1, 0), silent(1, 1), silent(1, 2)});
  Update liar = silent(2, 1);
  liar.belief[0].col(2).setConstant(sizeof(Real) == 8 ? 2400
                                                      : 450);  // a third of it counts, and half of that in the mean
  for (const Verdict& verdict : server.fold(2, {silent(2, 0), liar, silent(2, 2)})) {
    EXPECT_EQ(verdict.folded, verdict.agent != 1) << verdict.agent;
  }
  EXPECT_LT(server.working_particles().cwiseAbs().maxCoeff(), 10);
}

}  // namespace
}  // namespace fedstein
