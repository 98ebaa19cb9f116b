// SPDX-License-Identifier: Apache-2.0
// factor = "curvature": however the rows are split, particles rest where centralised SVGD rests.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/registry.h"
#include "fedstein/model/log_density_model.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/direction.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Values = std::vector<std::pair<std::string, SettingValue>>;

// Three agents of 60 rows: one sees large inputs, one the first feature only and nearly always +1, one small inputs.
class Differing : public testing::TestWithParam<std::string> {
 protected:
  Differing() : x_(random_matrix(180, 3, 1)), y_(180) {
    x_.topRows(60) *= 2;
    x_.middleRows(60, 60).rightCols(2).setZero();
    x_.middleRows(60, 60).col(0) = x_.middleRows(60, 60).col(0).cwiseAbs();
    x_.bottomRows(60) /= 2;
    Rng rng({.seed = 2});
    for (Index i = 0; i < 180; ++i) {
      const auto logit = static_cast<double>(2 * x_(i, 0) - x_(i, 1) + x_(i, 2));
      y_(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
  }

  Batch all() const { return {x_, y_}; }

  Federation federation(const Values& values) const {
    Settings settings(algorithm_named(GetParam()).settings);
    const Values common = {
        {"particles", Index{4}}, {"batch", Index{1000}}, {"step_rule", std::string("plain")}, {"learning_rate", 0.02}};
    for (const auto& [key, value] : common) settings.set(key, value);
    for (const auto& [key, value] : values) settings.set(key, value);
    std::vector<Batch> shards;
    for (Index k = 0; k < 3; ++k) shards.push_back(all().middle_rows(60 * k, 60));
    return Federation(algorithm_named(GetParam()), settings, model_, shards, {5, nullptr});
  }

  static Recorder run(Federation& made, Index passes) {
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    const bool together = GetParam() == "p-dsvgd";
    const RoundRobin in_turn(made.agents());
    const RandomFraction everybody(made.agents(), 1, 1);
    const Scheduler& scheduler = together ? static_cast<const Scheduler&>(everybody) : in_turn;
    coordinate(made.server(), scheduler, transport, recorder, {.rounds = together ? passes : passes * made.agents()});
    for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
    return recorder;
  }

  // The longest step in a coordinate that SVGD on all rows would take.
  double unrest_at(const Particles& particles) const {
    Matrix scores = Matrix::Zero(particles.rows(), particles.cols());
    model_.add_prior_score(particles, 1, scores);
    model_.add_likelihood_score(particles, all(), 1, scores);
    Matrix direction(particles.rows(), particles.cols());
    stein_direction(default_kernel(), particles, scores, direction);
    return static_cast<double>(direction.cwiseAbs().maxCoeff());
  }

  LogisticRegression model_{3, {.prior_scale = 1}};
  Matrix x_;
  Vector y_;
};

Values curvature(Index steps) {
  return {{"factor", std::string("curvature")}, {"local_steps", steps}};
}

TEST_P(Differing, AgentsComeToRestWhereCentralisedSvgdDoes) {
  Federation made = federation(curvature(100));
  EXPECT_GT(unrest_at(made.server().particles()), 1);
  EXPECT_LT(unrest_at(run(made, 60).particles.back()), 2e-3);
  Federation distilled = federation({{"local_steps", Index{100}}});
  EXPECT_GT(unrest_at(run(distilled, 60).particles.back()), 0.1) << "a task that every method solves shows nothing";
}

// Agents that know their factors there, and take whole steps from there, leave SVGD's own solution alone.
TEST_P(Differing, TenPassesFromTheSolutionMoveNoParticle) {
  Federation found = federation(curvature(100));
  const Particles solution = run(found, 100).particles.back();
  ASSERT_LT(unrest_at(solution), 1e-3);
  Federation made = federation(curvature(100));
  made.restore(found.save());
  const Recorder recorder = run(made, 10);
  for (const Particles& after : recorder.particles) {
    EXPECT_LT((after - solution).cwiseAbs().maxCoeff(), 1e-4_r);
  }
}

TEST_P(Differing, AFarStartComesHome) {
  LogisticRegression::Options wide;  // weights of deviation 10
  wide.prior_scale = 0.01;
  model_ = LogisticRegression(3, wide);
  Federation made = federation({{"factor", std::string("curvature")},
                                {"step_rule", std::string("adagrad")},
                                {"learning_rate", 0.05},
                                {"local_steps", Index{200}}});
  const Particles start = made.server().particles();
  ASSERT_GT(start.leftCols(3).cwiseAbs().maxCoeff(), 10);
  const Particles end = run(made, 20).particles.back();
  EXPECT_LT(end.leftCols(3).cwiseAbs().maxCoeff(), 6);
}

TEST_P(Differing, AnUpdateThatWasNotFoldedLeavesNoTrace) {
  Federation made = federation(curvature(5));
  run(made, 1);
  const std::string before = made.agent(0).save();
  const Task task = made.server().plan(9, {0}).front();
  const Update first = made.agent(0).update(task);
  const Update again = made.agent(0).update(task);
  for (std::size_t i = 0; i < first.belief.size(); ++i) EXPECT_EQ(first.belief[i], again.belief[i]);
  made.agent(0).settle({.round = 9, .agent = 0, .folded = false, .weight = 0}, first);
  EXPECT_EQ(made.agent(0).save(), before);
}

TEST_P(Differing, ASampleOfTheRowsMeasuresTheFactorToo) {
  Federation made = federation({{"factor", std::string("curvature")}, {"score_rows", Index{20}}});
  const Particles end = run(made, 3).particles.back();
  EXPECT_LT(end.leftCols(3).cwiseAbs().maxCoeff(), 10);
}

TEST_P(Differing, ModelsWithoutCurvatureAreRefused) {
  const LogDensityModel model({.dimension = 1,
                               .inputs = 1,
                               .log_likelihood = [](const auto&, const auto&, Real) { return 0.0; },
                               .add_score = [](const auto&, const auto&, Real, Real, RowRef) {}});
  Settings settings(algorithm_named(GetParam()).settings);
  settings.set("factor", std::string("curvature"));
  const Matrix x = Matrix::Zero(2, 1);
  const Vector y = Vector::Zero(2);
  EXPECT_THROW_MESSAGE(Federation(algorithm_named(GetParam()), settings, model, {{x, y}}, {1, nullptr}),
                       InvalidArgument,
                       "allowed: 'distilled'");
}

INSTANTIATE_TEST_SUITE_P(Curvature, Differing, testing::Values("dsvgd", "p-dsvgd"), [](const auto& at) {
  return at.param == "dsvgd" ? std::string("InTurn") : "Together";
});

TEST(Curvature, OfParallelAgentsIsFoldedByMean) {
  const LogisticRegression model(1);
  const Matrix x = Matrix::Ones(2, 1);
  const Vector y = Vector::Ones(2);
  Settings settings(algorithm_named("p-dsvgd").settings);
  settings.set("factor", std::string("curvature"));
  settings.set("fold", std::string("svgd"));
  EXPECT_THROW_MESSAGE(
      Federation(algorithm_named("p-dsvgd"), settings, model, {{x, y}}, {1, nullptr}), InvalidArgument, "mean");
}

TEST(Curvature, FactorsServeEveryModelThatKnowsItsDiagonal) {
  for (const World& world : worlds()) {
    for (const std::string name : {"dsvgd", "p-dsvgd"}) {
      Settings settings(algorithm_named(name).settings);
      settings.set("factor", std::string("curvature"));
      settings.set("local_steps", Index{10});
      settings.set("learning_rate", 0.01);
      Federation made(algorithm_named(name), settings, *world.model, world.shards(), {1, nullptr});
      const Particles start = made.server().particles();
      InProcessTransport transport(made.agent_pointers());
      Recorder recorder;
      coordinate(made.server(), RoundRobin(world.agents), transport, recorder, {.rounds = 2 * world.agents});
      for (const RoundRecord& record : recorder.records) {
        EXPECT_TRUE(record.failures.empty()) << world.name << " " << name << " " << record.failures.front().reason;
      }
      EXPECT_NE(recorder.particles.back(), start) << world.name << " " << name;
    }
  }
}

}  // namespace
}  // namespace fedstein
