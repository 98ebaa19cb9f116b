// SPDX-License-Identifier: Apache-2.0
// c-dsvgd: its fixed point, agents that differ, what is undone, and what agents without use leave behind.
#include "fedstein/methods/c_dsvgd.h"

#include <gtest/gtest.h>

#include "fedstein/methods/methods.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/stein/falling_step.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Two agents with opposite views: 60 rows of large inputs that say w = (1, 0), 30 of small ones that say (-2, 3).
struct Skew {
  Skew() : x(random_matrix(90, 2, 1)), y(90) {
    x.topRows(60) *= 2;
    Rng rng({.seed = 2});
    for (Index i = 0; i < 90; ++i) {
      const double logit = i < 60 ? static_cast<double>(x(i, 0)) : static_cast<double>(-2 * x(i, 0) + 3 * x(i, 1));
      y(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
  }
  Batch all() const { return {x, y}; }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 60), all().middle_rows(60, 30)}; }

  // Where SVGD with all data stands still.
  Particles centralised(Index particles) const {
    Particles at = random_matrix(particles, model.dimension(), 3);
    const PriorScore prior(model);
    const FullLikelihood loglik(model, all());
    const RbfKernel kernel(Bandwidth::original());
    const PlainStep step(0.02);
    fedstein::svgd(at, {{1, prior}, {1, loglik}}, {.steps = 40000, .kernel = &kernel, .step_rule = &step});
    return at;
  }

  LogisticRegression model{2};
  Matrix x;
  Vector y;
};

std::vector<std::vector<Index>> all_of(Index agents) {
  std::vector<Index> everyone;
  for (Index k = 0; k < agents; ++k) everyone.push_back(k);
  return {everyone};
}

Recorder run(Federation& made, const std::vector<std::vector<Index>>& schedule, Index rounds) {
  const ListedSchedule scheduler(schedule);
  InProcessTransport transport(made.agent_pointers());
  Recorder recorder;
  coordinate(made.server(), scheduler, transport, recorder, {.rounds = rounds});
  return recorder;
}

double largest_move(const Particles& a, const Particles& b) {
  return static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

TEST(CDsvgd, StandsStillWhereSvgdWithAllDataDoes) {
  const Skew skew;
  const Particles solution = skew.centralised(5);
  for (const auto& schedule : {all_of(2), std::vector<std::vector<Index>>{{0}, {1}}}) {
    Federation made(methods::c_dsvgd({.batch = 1000, .given_start = solution}), skew.model, skew.shards(), {.seed = 1});
    EXPECT_LT(largest_move(run(made, schedule, 10).particles.back(), solution), 1e-4);
  }
}

TEST(CDsvgd, ArrivesThereFromFarAway) {
  const Skew skew;
  const Particles solution = skew.centralised(5);
  const Particles start = Particles(solution.array() + 1);
  Federation made(
      methods::c_dsvgd({.batch = 1000, .momentum = 0.5, .given_start = start}), skew.model, skew.shards(), {.seed = 1});
  EXPECT_LT(largest_move(run(made, all_of(2), 400).particles.back(), solution), 0.02);
}

// The posterior is known: N(m, S). As many particles as SVGD needs there keep its spread.
TEST(CDsvgd, KeepsTheSpreadOfAKnownPosterior) {
  const Gaussian prior{DoubleVector::Zero(1), DoubleMatrix::Identity(1, 1)};
  const ConjugateGaussian model(prior, DoubleMatrix::Identity(1, 1) * 4);
  const Matrix x = random_matrix(40, 1, 3);
  const Vector y = Vector::Zero(40);
  const Batch all{x, y};
  Federation made(methods::c_dsvgd({.particles = 40, .batch = 1000}),
                  model,
                  {all.middle_rows(0, 5), all.middle_rows(5, 35)},
                  {.seed = 1});
  const DoubleMatrix at = run(made, all_of(2), 400).particles.back().cast<double>();
  const double precision = 1 + 40 / 4.0;
  const double mean = x.cast<double>().sum() / 4 / precision;
  EXPECT_NEAR(at.mean(), mean, 0.02);
  EXPECT_NEAR((at.array() - at.mean()).square().mean(), 1 / precision, 0.02);
}

// A first step out of all proportion overflows, or throws the particles far away. The run is not lost.
TEST(CDsvgd, RecoversFromAnyFirstStep) {
  const Skew skew;
  const Particles solution = skew.centralised(5);
  for (const double step : {1e30, 1e6, 100.0, 1e-3}) {
    Federation made(
        methods::c_dsvgd({.particles = 5, .batch = 1000, .step = step}), skew.model, skew.shards(), {.seed = 1});
    const Recorder seen = run(made, all_of(2), 300);
    double likelihood = skew.model.log_likelihood(seen.particles.back(), skew.all()).mean();
    EXPECT_GT(likelihood, skew.model.log_likelihood(solution, skew.all()).mean() - 1) << step;
    EXPECT_GT(seen.records.back().figures.at("step"), 0);
  }
}

TEST(CDsvgd, AnUndoneRoundLeavesNoTrace) {
  const Skew skew;
  Federation made(methods::c_dsvgd({.particles = 3, .batch = 1000}), skew.model, skew.shards(), {.seed = 1});
  run(made, all_of(2), 4);
  const Particles before = made.server().particles();
  std::vector<Update> updates;
  std::vector<Matrix> variates;
  const auto answer = [&](Index round, Real report) {
    updates.clear();
    for (const Task& task : made.server().plan(round, {0, 1})) {
      updates.push_back(made.agent(task.agent).update(task));
      if (report != 0) updates.back().belief[2](0, 0) = report;
    }
    const std::vector<Verdict> verdicts = made.server().fold(round, updates);
    for (const Verdict& verdict : verdicts) {
      made.agent(verdict.agent).settle(verdict, updates[static_cast<std::size_t>(verdict.agent)]);
    }
    return verdicts;
  };
  const std::vector<Task> asked_before = made.server().plan(5, {0, 1});
  const Matrix change_before = made.agent(0).update(asked_before[0]).belief[1];
  EXPECT_EQ(answer(5, 0)[0].weight, 1);
  EXPECT_GT(largest_move(made.server().particles(), before), 1e-6);
  // Both report that the belief of round 5 is far worse than the one before.
  EXPECT_EQ(answer(6, -50)[0].weight, 0);
  EXPECT_EQ(made.server().figures().at("undone"), 1);
  EXPECT_TRUE(identical(made.server().particles(), before));
  const std::vector<Task> asked_again = made.server().plan(7, {0, 1});
  EXPECT_TRUE(identical(asked_again[0].belief[1], asked_before[0].belief[1]));
  ASSERT_TRUE(asked_again[0].verdict);
  EXPECT_FALSE(asked_again[0].verdict->folded);
  // With the same step the agent would say what it said before: its variate went back too.
  Task same = asked_again[0];
  same.belief[2] = asked_before[0].belief[2];
  EXPECT_TRUE(close(made.agent(0).update(same).belief[1], change_before));
}

// C is what the agents' variates add up to, whatever was lost, undone or answered by some only.
TEST(CDsvgd, TheServerCountsWhatAgentsKeep) {
  const Skew skew;
  const Batch all = skew.all();
  const std::vector<Batch> shards = {
      all.middle_rows(0, 50), all.middle_rows(50, 0), all.middle_rows(50, 1), all.middle_rows(51, 39)};
  Federation made(methods::c_dsvgd({.particles = 3, .batch = 10, .step = 20}), skew.model, shards, {.seed = 1});
  const Recorder seen = run(made, {{0, 1, 2, 3}, {0, 3}, {1, 2}, {2, 3}, {0, 1, 2, 3}, {3}}, 60);
  double undone = 0;
  for (const RoundRecord& record : seen.records) undone += record.figures.at("undone");
  EXPECT_GT(undone, 0);
  DoubleMatrix sum = DoubleMatrix::Zero(3, skew.model.dimension());
  Index agents = 0;
  for (const Task& task : made.server().plan(61, {0, 1, 2, 3})) {
    const Index k = task.agent;
    if (shards[static_cast<std::size_t>(k)].rows() == 0) continue;
    // change = mean score - C at rest: with no step and all rows it is g_k(Z) - c_k, so that c_k is known.
    Task still = task;
    still.belief[2].setZero();
    Federation fresh(methods::c_dsvgd({.particles = 3, .batch = 10}), skew.model, shards, {.seed = 1});
    Task first = still;
    first.verdict = {};
    const Matrix mine = made.agent(k).update(still).belief[1];
    const Matrix from_zero = fresh.agent(k).update(first).belief[1];
    const double share = static_cast<double>(shards[static_cast<std::size_t>(k)].rows()) / 90;
    sum += share * (from_zero - mine).cast<double>();
    ++agents;
  }
  EXPECT_EQ(agents, 3);
  const Matrix c = made.server().plan(61, {0}).front().belief[1];
  EXPECT_LT((sum - c.cast<double>()).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(CDsvgd, AnAgentWithoutRowsChangesNothing) {
  const Skew skew;
  const Batch all = skew.all();
  std::vector<Batch> shards = skew.shards();
  Federation without(methods::c_dsvgd({.particles = 3}), skew.model, shards, {.seed = 1});
  shards.push_back(all.middle_rows(0, 0));
  Federation with(methods::c_dsvgd({.particles = 3}), skew.model, shards, {.seed = 1});
  EXPECT_TRUE(identical(run(with, all_of(3), 10).particles.back(), run(without, all_of(2), 10).particles.back()));
}

TEST(CDsvgd, NobodysRowsLeaveThePrior) {
  const Skew skew;
  const Batch none = skew.all().middle_rows(0, 0);
  Federation made(methods::c_dsvgd({.particles = 3}), skew.model, {none, none}, {.seed = 1});
  EXPECT_EQ(run(made, all_of(2), 5).records.back().folded.size(), 2U);
  EXPECT_TRUE(made.server().particles().allFinite());
}

TEST(CDsvgd, ServersAndAgentsAreSavedAndRestoredToTheBit) {
  const Skew skew;
  const auto fresh = [&] {
    return Federation(
        methods::c_dsvgd({.particles = 3, .batch = 10, .step = 5}), skew.model, skew.shards(), {.seed = 1});
  };
  const std::vector<std::vector<Index>> schedule = {{0, 1}, {0}, {1}, {0, 1}};
  Federation whole = fresh();
  const Particles expected = run(whole, schedule, 24).particles.back();
  Federation first = fresh();
  run(first, schedule, 12);
  Federation second = fresh();
  second.server().restore(first.server().save());
  for (const Index k : {0, 1}) second.agent(k).restore(first.agent(k).save());
  InProcessTransport transport(second.agent_pointers());
  Recorder recorder;
  coordinate(second.server(), ListedSchedule(schedule), transport, recorder, {.first_round = 13, .rounds = 24});
  EXPECT_TRUE(identical(recorder.particles.back(), expected));
}

// Such a walk must not end in a result because it was the last one.
TEST(CDsvgd, AWalkThatEndsInNonsenseCountsAsAnOverflow) {
  const Skew skew;
  Federation made(methods::c_dsvgd({.particles = 3}), skew.model, skew.shards(), {.seed = 1});
  run(made, all_of(2), 4);
  Task task = made.server().plan(5, {0}).front();
  EXPECT_EQ(made.agent(0).update(task).belief[2](0, 1), 0);
  task.belief[2] *= 300;
  const Update update = made.agent(0).update(task);
  EXPECT_EQ(update.belief[2](0, 1), 1);
  EXPECT_NE(update.belief[2](0, 0), 0);  // what it says of the belief itself
  EXPECT_TRUE(update.belief[0].isZero());
}

TEST(CDsvgd, RefusesReportsThatCannotBe) {
  const Skew skew;
  Federation made(methods::c_dsvgd({.particles = 3}), skew.model, skew.shards(), {.seed = 1});
  Update update = made.agent(0).update(made.server().plan(1, {0}).front());
  EXPECT_EQ(made.server().objection(update), "");
  update.belief[3](0, 0) = -1;
  EXPECT_NE(made.server().objection(update).find("allowed: from 0 to 1e+15"), std::string::npos);
  update.belief[3](0, 0) = 1e16F;
  EXPECT_NE(made.server().objection(update), "");
  update.belief[3](0, 0) = 0;
  update.belief[2](0, 1) = 7;
  EXPECT_NE(made.server().objection(update).find("allowed: 0, 1, 2"), std::string::npos);
  update.belief.pop_back();
  EXPECT_NE(made.server().objection(update), "");
  update.agent = 2;
  EXPECT_NE(made.server().objection(update).find("not one of the 2"), std::string::npos);
}

TEST(CDsvgd, ParticlesOfNetworksAreIndependent) {
  EXPECT_TRUE(CDsvgdSetup{}.couples(1000));
  EXPECT_FALSE(CDsvgdSetup{}.couples(1001));
}

}  // namespace
}  // namespace fedstein
