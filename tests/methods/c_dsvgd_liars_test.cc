// SPDX-License-Identifier: Apache-2.0
// One of five certified agents lies in its reports. The federation learns all the same, from the others.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "fedstein/methods/methods.h"
#include "fedstein/model/logistic_regression.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/lying_agent.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Five agents with 40 rows each of one law, though of different inputs.
struct Five {
  Five() : x(random_matrix(200, 3, 1)), y(200) {
    Rng rng({.seed = 2});
    for (Index i = 0; i < 200; ++i) {
      x(i, 0) += static_cast<Real>(i / 40 - 2);
      const auto logit = static_cast<double>(x(i, 0) - 2 * x(i, 1) + x(i, 2));
      y(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
  }
  Batch all() const { return {x, y}; }
  Federation federation(Index agents = 5) const {
    std::vector<Batch> shards;
    const Index rows = 200 / agents;
    for (Index k = 0; k < agents; ++k) shards.push_back(all().middle_rows(rows * k, rows));
    return Federation(methods::c_dsvgd({.particles = 4, .batch = 20}), model, shards, {.seed = 1});
  }
  double likelihood(const Particles& at) const { return model.log_likelihood(at, all()).mean() / 200; }

  LogisticRegression model{3};
  Matrix x;
  Vector y;
};

// Agent 2 lies.
Recorder run_with(Federation& made, const Scheduler& schedule, const Lie& lie, Index rounds) {
  std::vector<AgentSide*> agents = made.agent_pointers();
  LyingAgent liar(*agents[2], lie);
  agents[2] = &liar;
  InProcessTransport transport(agents);
  Recorder recorder;
  coordinate(made.server(), schedule, transport, recorder, {.rounds = rounds});
  return recorder;
}

std::vector<std::unique_ptr<Scheduler>> kinds_of_rounds(Index agents = 5) {
  std::vector<std::unique_ptr<Scheduler>> out;
  out.push_back(std::make_unique<RandomFraction>(agents, 1, 1));
  out.push_back(std::make_unique<RandomFraction>(agents, 0.6, 1));
  out.push_back(std::make_unique<RoundRobin>(agents));
  return out;
}

struct NamedLie {
  const char* name;
  Lie lie;
};

std::vector<NamedLie> lies() {
  const auto says = [](double value) {
    return [value](Index, MatrixRef report) { report(0, 0) = static_cast<Real>(value); };
  };
  return {
      {"always overflows", [](Index, MatrixRef report) { report(0, 1) = 1; }},
      {"always says that the belief overflows", [](Index, MatrixRef report) { report(0, 1) = 2; }},
      {"overflows every other time", [n = 0](Index, MatrixRef report) mutable { report(0, 1) = Real(n++ % 2); }},
      {"overflows twice of five times", [n = 0](Index, MatrixRef report) mutable { report(0, 1) = Real(n++ % 5 < 2); }},
      {"-1e30", says(-1e30)},
      {"+1e30", says(1e30)},
      {"-1e30 every other time",
       [n = 0](Index, MatrixRef report) mutable { report(0, 0) = n++ % 2 == 0 ? Real(-1e30) : report(0, 0); }},
      {"twice as bad every time",
       [n = 0](Index, MatrixRef report) mutable { report(0, 0) = static_cast<Real>(-std::exp2(n++ % 100)); }},
      {"a little worse every time",
       [n = 0](Index, MatrixRef report) mutable { report(0, 0) -= static_cast<Real>(0.002 * n++); }},
      {"better every time", [n = 0](Index, MatrixRef report) mutable { report(0, 0) = static_cast<Real>(n++); }},
  };
}

// Where the agent's rows are left out that costs 0.006; without the watch it would be up to 0.5.
TEST(CDsvgdLiars, OneOfFiveDoesNotKeepTheOthersFromLearning) {
  const Five five;
  for (const auto& schedule : kinds_of_rounds()) {
    const Index rounds = schedule->pick(1).size() == 1 ? 400 : 150;
    Federation honest = five.federation();
    const Lie none = [](Index, MatrixRef) {};
    const double without = five.likelihood(run_with(honest, *schedule, none, rounds).particles.back());
    for (const auto& [name, lie] : lies()) {
      Federation made = five.federation();
      const Recorder seen = run_with(made, *schedule, lie, rounds);
      EXPECT_NEAR(five.likelihood(seen.particles.back()), without, 0.01) << name << ", " << schedule->pick(1).size();
      EXPECT_LT(made.server().figures().at("step"), 0.1) << name;  // it comes to rest, too
    }
  }
}

// Four times its true change, always for the worse or always for the better: that is never out of proportion. With a
// fifth of the rows such an agent can keep the step from dying out; with a twentieth it does nothing.
TEST(CDsvgdLiars, OneOfTwentyWithinProportionChangesNothing) {
  const Five five;
  for (const auto& schedule : kinds_of_rounds(20)) {
    const Index rounds = schedule->pick(1).size() == 1 ? 1000 : 150;
    Federation honest = five.federation(20);
    const Lie none = [](Index, MatrixRef) {};
    const double without = five.likelihood(run_with(honest, *schedule, none, rounds).particles.back());
    for (const Real factor : {-4.0_r, 4.0_r}) {
      std::optional<Real> truth, said;
      const Lie lie = [&](Index, MatrixRef report) {
        said = truth ? *said + factor * std::abs(report(0, 0) - *truth) : report(0, 0);
        truth = std::exchange(report(0, 0), *said);
      };
      Federation made = five.federation(20);
      EXPECT_NEAR(five.likelihood(run_with(made, *schedule, lie, rounds).particles.back()), without, 0.001) << factor;
    }
  }
}

TEST(CDsvgdLiars, TheRoundSaysWhoWasLeftOutAndWhy) {
  const Five five;
  Federation made = five.federation();
  const Lie overflow = [](Index, MatrixRef report) { report(0, 1) = 1; };
  const Recorder seen = run_with(made, *kinds_of_rounds().front(), overflow, 12);
  for (const RoundRecord& record : seen.records) {
    const bool obeyed = record.round <= 10;
    EXPECT_EQ(record.figures.at("undone"), obeyed ? 1 : 0) << record.round;
    EXPECT_EQ(record.figures.count("left_out"), obeyed ? 0U : 1U) << record.round;
    EXPECT_EQ(record.folded.size(), obeyed ? 5U : 4U);
    EXPECT_EQ(record.failures.size(), obeyed ? 0U : 1U);
  }
  EXPECT_EQ(seen.records.back().failures.front().agent, 2);
  EXPECT_NE(seen.records.back().failures.front().reason.find("reports an overflow again and again"), std::string::npos);
}

TEST(CDsvgdLiars, AnAgentThatIsSoundAgainIsTakenAgain) {
  const Five five;
  Federation made = five.federation();
  const Lie at_first = [](Index round, MatrixRef report) {
    if (round <= 20) report(0, 1) = 1;
  };
  const Recorder seen = run_with(made, *kinds_of_rounds().front(), at_first, 150);
  EXPECT_EQ(seen.records[19].folded.size(), 4U);
  for (std::size_t i = 20; i < 150; ++i) EXPECT_EQ(seen.records[i].folded.size(), 5U);
  Federation honest = five.federation();
  const Recorder other = run_with(
      honest, *kinds_of_rounds().front(), [](Index, MatrixRef) {}, 150);
  EXPECT_NEAR(five.likelihood(seen.particles.back()), five.likelihood(other.particles.back()), 1e-3);
}

TEST(CDsvgdLiars, WhoIsLeftOutIsSavedAndRestored) {
  const Five five;
  const Lie overflow = [](Index, MatrixRef report) { report(0, 1) = 1; };
  const auto schedule = std::move(kinds_of_rounds().front());
  Federation whole = five.federation(), first = five.federation(), second = five.federation();
  const Particles expected = run_with(whole, *schedule, overflow, 24).particles.back();
  for (const Index until : {7, 13}) {
    run_with(first, *schedule, overflow, until);
    second.server().restore(first.server().save());
    for (Index k = 0; k < 5; ++k) second.agent(k).restore(first.agent(k).save());
    LyingAgent liar(second.agent(2), overflow);
    std::vector<AgentSide*> agents = second.agent_pointers();
    agents[2] = &liar;
    InProcessTransport transport(agents);
    Recorder recorder;
    coordinate(second.server(), *schedule, transport, recorder, {.first_round = until + 1, .rounds = 24});
    EXPECT_TRUE(identical(recorder.particles.back(), expected)) << until;
    first = five.federation();
  }
}

TEST(CDsvgdLiars, NumbersThatAreNoneAreRefused) {
  const Five five;
  Federation made = five.federation();
  Update update = made.agent(2).update(made.server().plan(1, {2}).front());
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    update.belief[2](0, 0) = static_cast<Real>(value);
    EXPECT_NE(made.server().objection(update).find("matrix 2 holds"), std::string::npos);
  }
}

// Nobody lies: with such features no step helps. The run says what would.
TEST(CDsvgdLiars, AHopelessStartEndsInASentence) {
  const auto largest = static_cast<double>(std::numeric_limits<Real>::max());
  for (const double scale : {std::pow(largest, 0.78), 0.15 * largest}) {
    Five five;
    five.x *= static_cast<Real>(scale);
    Federation made = five.federation();
    const Particles before = made.server().particles();
    const RunSummary summary = made.run({.rounds = 200});
    EXPECT_GT(summary.lost_rounds, 0);
    EXPECT_NE(summary.message().find("scale the features"), std::string::npos) << summary.message();
    EXPECT_TRUE(identical(made.server().particles(), before));
  }
}

}  // namespace
}  // namespace fedstein
