// SPDX-License-Identifier: Apache-2.0
// FedAvg, FedSGD, FedProx: where two of them must be the same, they are; and what their options do.
#include <gtest/gtest.h>

#include "fedstein/methods/points/point_method.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Values = std::vector<std::pair<std::string, SettingValue>>;

ListedSchedule only(Index agent) {
  return ListedSchedule(std::vector<std::vector<Index>>{{agent}});
}

class Averaging : public testing::Test {
 protected:
  Averaging() : x_(random_matrix(60, 3, 1)), y_(60) {
    for (Index i = 0; i < 60; ++i) y_(i) = x_(i, 0) - 2 * x_(i, 2) > 0 ? 1 : -1;
  }

  static Settings settings(const std::string& name, const Values& values) {
    Settings given(algorithm_named(name).settings);
    for (const auto& [key, value] : values) given.set(key, value);
    return given;
  }

  std::vector<Batch> shards(const std::vector<Index>& sizes) const {
    std::vector<Batch> out;
    Index begin = 0;
    for (const Index size : sizes) {
      out.push_back(Batch{x_, y_}.middle_rows(begin, size));
      begin += size;
    }
    return out;
  }

  // The particles after every round, all agents taking part.
  std::vector<Particles> run(const std::string& name,
                             const Values& values,
                             const std::vector<Index>& sizes,
                             Index rounds) const {
    return run(name, values, sizes, rounds, RandomFraction(static_cast<Index>(sizes.size()), 1, 1));
  }
  std::vector<Particles> run(const std::string& name,
                             const Values& values,
                             const std::vector<Index>& sizes,
                             Index rounds,
                             const Scheduler& scheduler) const {
    Federation federation(algorithm_named(name), settings(name, values), model_, shards(sizes), {.seed = 5});
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    coordinate(federation.server(), scheduler, transport, recorder, {.rounds = rounds});
    return recorder.particles;
  }

  LogisticRegression model_{3};
  Matrix x_;
  Vector y_;
};

TEST_F(Averaging, FedAvgOfOneAgentIsAdaGradTrainingToTheBit) {
  const auto found = run("fedavg", {{"local_steps", Index{25}}, {"batch", Index{7}}}, {60}, 3);
  Matrix w = Matrix::Zero(1, 4);
  for (Index round = 1; round <= 3; ++round) {
    const StreamId stream{.seed = 5, .agent = 0, .round = static_cast<std::uint64_t>(round)};
    const MinibatchLikelihood rows(model_, {x_, y_}, 7, stream);
    Matrix mean_square = Matrix::Zero(1, 4);
    for (Index step = 0; step < 25; ++step) {
      Matrix score = Matrix::Zero(1, 4);
      rows.add(w, step, 1 / 60.0, score);
      const Real keep = step == 0 ? Real{0} : 0.9_r;
      mean_square.array() = keep * mean_square.array() + (1 - keep) * score.array().square();
      w.array() += 0.05_r / (1e-9_r + mean_square.array().sqrt()) * score.array();
    }
    EXPECT_TRUE(identical(found[static_cast<std::size_t>(round - 1)], w)) << round;
  }
  EXPECT_EQ(w(0, 3), 0) << "nothing but the prior moves the log precision";
}

TEST_F(Averaging, OneFullPlainStepOnEqualShardsIsFedSgd) {
  const Values plain = {{"step_rule", std::string("plain")}, {"learning_rate", 0.5}};
  Values local = plain;
  local.insert(local.end(), {{"local_steps", Index{1}}, {"batch", Index{1000}}});
  const auto fedavg = run("fedavg", local, {20, 20, 20}, 4);
  const auto fedsgd = run("fedsgd", plain, {20, 20, 20}, 4);
  for (std::size_t round = 0; round < 4; ++round) EXPECT_TRUE(close(fedavg[round], fedsgd[round]));
  EXPECT_GT(fedsgd.back().cwiseAbs().maxCoeff(), 0.1);
}

TEST_F(Averaging, FedSgdOnAnyShardsIsGradientDescentOnAllRows) {
  const Values values = {{"prior", true}, {"temperature", 2.0}};
  const auto split = run("fedsgd", values, {5, 40, 15}, 6);
  const auto whole = run("fedsgd", values, {60}, 6);
  EXPECT_TRUE(close(split.back(), whole.back()));
  EXPECT_NE(whole.back()(0, 3), 0) << "the prior moves the log precision";
}

TEST_F(Averaging, TheMeanIsWeightedByRows) {
  const Values values = {{"local_steps", Index{5}}, {"batch", Index{1000}}};
  const auto both = run("fedavg", values, {10, 50}, 1);
  // Each alone: one agent's weights replace the server's.
  const auto first = run("fedavg", values, {10, 50}, 1, only(0));
  const auto second = run("fedavg", values, {10, 50}, 1, only(1));
  EXPECT_TRUE(close(both[0], Matrix(first[0] / 6 + second[0] * 5 / 6)));
  EXPECT_FALSE(close(first[0], second[0]));
}

TEST_F(Averaging, ReleasedWeightingMovesAShareFromAPriorDraw) {
  const Values values = {{"local_steps", Index{5}}, {"batch", Index{1000}}, {"weighting", std::string("released")}};
  const Settings given = settings("fedavg", values);
  Federation federation(algorithm_named("fedavg"), given, model_, shards({15, 45}), {.seed = 5});
  const Matrix start = federation.server().particles();
  Matrix prior(1, 4);
  Rng rng({.seed = 5, .purpose = Purpose::kPriorDraw});
  model_.draw_prior(rng, prior);
  EXPECT_TRUE(identical(start, prior));
  const Update update = federation.agent(0).update(federation.server().plan(1, {0}).front());
  const auto moved = run("fedavg", values, {15, 45}, 1, only(0));
  EXPECT_TRUE(close(moved[0], Matrix(start + 0.25_r * (update.belief[0] - start))));
}

TEST_F(Averaging, FedProxWithoutItsTermIsFedAvgAndWithALargeOneStaysNear) {
  const Values common = {{"local_steps", Index{40}}, {"batch", Index{7}}, {"learning_rate", 0.01}};
  const auto with_mu = [&](double mu) {
    Values values = common;
    values.emplace_back("mu", mu);
    return values;
  };
  const auto fedavg = run("fedavg", common, {20, 20, 20}, 3);
  EXPECT_TRUE(identical(run("fedprox", with_mu(0), {20, 20, 20}, 3).back(), fedavg.back()));
  double last = fedavg[0].norm();
  for (const double mu : {1.0, 10.0}) {
    const double moved = run("fedprox", with_mu(mu), {20, 20, 20}, 1)[0].norm();
    EXPECT_LT(moved, 0.8 * last) << mu;
    last = moved;
  }
}

TEST_F(Averaging, UpdatesAreRepeatableAndStrangersRefused) {
  for (const std::string name : {"fedavg", "fedsgd", "fedprox"}) {
    Federation federation(algorithm_named(name), settings(name, {}), model_, shards({30, 30}), {.seed = 5});
    const Task task = federation.server().plan(1, {1}).front();
    const Update update = federation.agent(1).update(task);
    EXPECT_TRUE(identical(federation.agent(1).update(task).belief[0], update.belief[0]));
    EXPECT_EQ(federation.agent(1).state_size(), 0);
    Update stranger = update;
    stranger.agent = 2;
    EXPECT_THAT(federation.server().objection(stranger), testing::HasSubstr("agent 2 is not one of the 2"));
    Update broken = update;
    broken.belief[0](0, 1) = std::numeric_limits<Real>::infinity();
    EXPECT_THAT(federation.server().objection(broken), testing::HasSubstr("inf"));
  }
}

TEST_F(Averaging, AnAgentWithoutRowsChangesNothing) {
  const Values values = {{"local_steps", Index{5}}};
  const auto with_empty = run("fedavg", values, {60, 0}, 2);
  const auto alone = run("fedavg", values, {60}, 2);
  EXPECT_TRUE(identical(with_empty.back(), alone.back()));
  EXPECT_TRUE(identical(run("fedsgd", {}, {0, 60}, 2).back(), run("fedsgd", {}, {60}, 2).back()));
  EXPECT_TRUE(identical(run("fedavg", values, {0, 60}, 1, only(0))[0], Matrix::Zero(1, 4)));
}

// Every point method on both networks: it starts where networks start and fits better after a few rounds.
template <typename Network>
void expect_learns(const Network& model, const Batch& data) {
  for (const std::string name : {"fedavg", "fedsgd", "fedbe", "fedprox", "scaffold"}) {
    Settings settings(algorithm_named(name).settings);
    settings.set("learning_rate", 0.01);
    const Matrix unlabelled = data.x;
    Federation federation(
        algorithm_named(name), settings, model, {data.middle_rows(0, 30), data.middle_rows(30, 30)}, {3, &unlabelled});
    const Matrix start = federation.server().particles();
    EXPECT_GT(start.norm(), 0) << name;
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    coordinate(federation.server(), RandomFraction(2, 1, 1), transport, recorder, {.rounds = 20});
    EXPECT_TRUE(recorder.records.back().failures.empty());
    EXPECT_GT(model.log_predictive(recorder.particles.back(), data).sum(), model.log_likelihood(start, data)(0) + 3)
        << name;
  }
}

TEST_F(Averaging, TrainsNetworks) {
  const BnnClassification classifier({.inputs = 3, .hidden = 8, .classes = 2, .labels = Labels::kSigned});
  expect_learns(classifier, {x_, y_});
  const BnnRegression regression({.inputs = 3, .hidden = 8});
  const Vector target = x_.col(0) - x_.col(1);
  expect_learns(regression, {x_, target});
}

}  // namespace
}  // namespace fedstein
