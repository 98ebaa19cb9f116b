// SPDX-License-Identifier: Apache-2.0
// The seam for engines: a local round is one call, and its terms say what they are.
#include "fedstein/stein/svgd_engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/model/logistic_regression.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kSteps = 5;
constexpr Index kRows = 30;

// What an engine saw of a term, kept beyond the call.
struct Seen {
  double weight = 0;
  std::string kind = {};
  const Model* model = nullptr;
  const Real* rows = nullptr;  // where the likelihood's rows lie
  Index count = 0;             // how many there are
  Index batch = 0;
  std::optional<StreamId> stream = {};
  Matrix anchors = {};
  double bandwidth = 0;
};

Seen seen(const DescribedTerm& term) {
  struct Visitor {
    Seen out;
    void operator()(const UnknownScore&) { out.kind = "unknown"; }
    void operator()(const PriorOf& prior) {
      out.kind = "prior";
      out.model = prior.model;
    }
    void operator()(const LikelihoodOf& likelihood) {
      out.kind = "likelihood";
      out.model = likelihood.model;
      out.rows = likelihood.rows->x.data();
      out.count = likelihood.rows->rows();
      out.batch = likelihood.batch;
      out.stream = likelihood.stream;
    }
    void operator()(const KdeOf& kde) {
      out.kind = "kde";
      out.anchors = *kde.particles;
      out.bandwidth = kde.bandwidth;
    }
    void operator()(const Anchored& field) {
      out.kind = "field";
      out.anchors = *field.anchors;
    }
  };
  Visitor visitor{{.weight = term.weight}};
  std::visit(visitor, term.what);
  return visitor.out;
}

// Computes nothing itself.
class WatchingEngine : public SvgdEngine {
 public:
  SvgdSummary run(MatrixRef particles, const Terms& terms, const SvgdOptions& options) const override {
    ++calls;
    latest.clear();
    for (const DescribedTerm& term : describe_terms(terms)) latest.push_back(seen(term));
    steps = options.steps;
    return svgd(particles, terms, options);
  }

  mutable Index calls = 0;
  mutable Index steps = 0;
  mutable std::vector<Seen> latest;
};

class Engine : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<AgentSide> agent(std::shared_ptr<const SvgdEngine> engine) const {
    const Algorithm dsvgd = methods::dsvgd({.local_steps = kSteps,
                                            .batch = 7,
                                            .temperature = 2,
                                            .distillation = GetParam(),
                                            .distillation_steps = 3,
                                            .given_start = start_,
                                            .engine = std::move(engine)});
    return dsvgd.make_agent(context_, Settings(dsvgd.settings));
  }
  Task task(Index round, const Particles& belief) const {
    return {.round = round, .agent = 4, .version = round - 1, .belief = {belief}, .verdict = {}};
  }
  static Vector labels() {
    Vector y(kRows);
    for (Index i = 0; i < kRows; ++i) y(i) = i % 3 == 0 ? 1 : -1;
    return y;
  }
  void expect_likelihood(const Seen& term, std::uint64_t round) const {
    EXPECT_EQ(term.kind, "likelihood");
    EXPECT_EQ(term.weight, 0.5);
    EXPECT_EQ(term.model, &model_);
    EXPECT_EQ(term.rows, x_.data());
    EXPECT_EQ(term.count, kRows);
    EXPECT_EQ(term.batch, 7);
    ASSERT_TRUE(term.stream.has_value());
    EXPECT_EQ(term.stream->seed, 9U);
    EXPECT_EQ(term.stream->agent, 4U);
    EXPECT_EQ(term.stream->round, round);
    EXPECT_EQ(term.stream->purpose, Purpose::kMinibatch);
  }

  LogisticRegression model_{3};
  Matrix x_ = random_matrix(kRows, 3, 1);
  Vector y_ = labels();
  Particles start_ = random_matrix(6, 4, 2);
  AgentContext context_{.model = &model_, .data = {x_, y_}, .agent = 4, .seed = 9};
};

TEST_P(Engine, ThatDelegatesChangesNoBit) {
  const auto engine = std::make_shared<WatchingEngine>();
  const auto watched = agent(engine), plain = agent({});
  Particles belief = start_;
  for (Index round = 1; round <= 3; ++round) {
    const Update found = watched->update(task(round, belief));
    ASSERT_TRUE(identical(found.belief.front(), plain->update(task(round, belief)).belief.front())) << round;
    for (AgentSide* side : {watched.get(), plain.get()}) side->settle({round, 4, true, 1}, found);
    belief = found.belief.front();
  }
  // A local round is one call, and so is a distillation that runs SVGD.
  EXPECT_EQ(engine->calls, GetParam() == "score" ? 3 : 6);
}

TEST_P(Engine, SeesWhatTheTermsOfALocalRoundAre) {
  const auto engine = std::make_shared<WatchingEngine>();
  const auto side = agent(engine);
  const Update first = side->update(task(1, start_));
  const Particles& next = first.belief.front();
  EXPECT_EQ(engine->steps, kSteps);
  expect_likelihood(engine->latest.back(), 1);
  if (GetParam() == "reference") {
    // The floored KDEs of the released code are for comparisons only: no engine needs to know them.
    EXPECT_EQ(engine->latest.front().kind, "unknown");
    return;
  }
  // In the first round q is the prior and t_k a constant.
  ASSERT_EQ(engine->latest.size(), 2U);
  EXPECT_EQ(engine->latest[0].kind, "prior");
  EXPECT_EQ(engine->latest[0].weight, 1);
  EXPECT_EQ(engine->latest[0].model, &model_);

  side->settle({1, 4, true, 1}, first);
  side->update(task(2, next));
  const std::vector<Seen>& terms = engine->latest;
  ASSERT_EQ(terms.size(), GetParam() == "score" ? 3U : 4U);
  EXPECT_EQ(terms[0].kind, "kde");
  EXPECT_EQ(terms[0].weight, 1);
  EXPECT_EQ(terms[0].bandwidth, 0.55);
  EXPECT_TRUE(identical(terms[0].anchors, next));
  EXPECT_EQ(terms[1].weight, -1);
  if (GetParam() == "score") {
    EXPECT_EQ(terms[1].kind, "field");
    EXPECT_TRUE(identical(terms[1].anchors, next)) << "the field was fitted at the round's result";
  } else {
    EXPECT_EQ(terms[1].kind, "kde");  // of p0 t_k, less
    EXPECT_EQ(terms[2].kind, "prior");
    EXPECT_EQ(terms[2].weight, 1);
  }
  expect_likelihood(terms.back(), 2);
}

INSTANTIATE_TEST_SUITE_P(Factors, Engine, testing::Values("score", "svgd", "reference"));

// By typed options an engine reaches every agent of a federation.
TEST(EngineOfAFederation, ComputesAllLocalRounds) {
  const LogisticRegression model(3);
  const Matrix x = random_matrix(8, 3, 3);
  const Vector y = Vector::Ones(8);
  const std::vector<Batch> shards = {Batch{x, y}.middle_rows(0, 4), Batch{x, y}.middle_rows(4, 4)};
  const auto engine = std::make_shared<WatchingEngine>();
  Federation watched(methods::dsvgd({.local_steps = kSteps, .engine = engine}), model, shards, {.seed = 1});
  Federation plain(methods::dsvgd({.local_steps = kSteps}), model, shards, {.seed = 1});
  watched.run({.rounds = 4});
  plain.run({.rounds = 4});
  EXPECT_EQ(engine->calls, 4);
  EXPECT_TRUE(identical(watched.particles(), plain.particles()));
}

// Methods that run SVGD with options of their own go through the engine as well.
TEST(EngineOfScaffold, ComputesItsLocalRound) {
  const LogisticRegression model(3);
  const Matrix x = random_matrix(8, 3, 3);
  const Vector y = Vector::Ones(8);
  const auto engine = std::make_shared<WatchingEngine>();
  const Algorithm scaffold = scaffold_algorithm({.engine = engine});
  Settings settings(scaffold.settings);
  settings.set("local_steps", kSteps);
  const auto agent = scaffold.make_agent({.model = &model, .data = {x, y}, .agent = 0}, settings);
  const Matrix start = Matrix::Zero(1, model.dimension());
  agent->update({.round = 1, .agent = 0, .version = 0, .belief = {start, start}, .verdict = {}});
  EXPECT_EQ(engine->calls, 1);
  EXPECT_EQ(engine->steps, kSteps);
}

}  // namespace
}  // namespace fedstein
