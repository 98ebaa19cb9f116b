// SPDX-License-Identifier: Apache-2.0
// Gaussian variational inference: its quadrature, its exactness where the posterior is Gaussian, and the toy.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/pvi.h"
#include "fedstein/methods/registry.h"
#include "fedstein/metrics/divergence.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr double kExact = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-4 : 1e-3;

TEST(NormalQuadrature, IntegratesPolynomialsAndMoreThanPolynomials) {
  const NormalQuadrature rule = normal_quadrature(10, 1);
  double moment = 1;  // E[z^p] = (p - 1)!! for even p
  for (int power = 0; power <= 18; power += 2) {
    if (power > 0) moment *= power - 1;
    EXPECT_NEAR(rule.nodes.col(0).array().pow(power).matrix().dot(rule.weights) / moment, 1, 1e-10) << power;
    EXPECT_NEAR(rule.nodes.col(0).array().pow(power + 1).matrix().dot(rule.weights) / moment, 0, 1e-8) << power;
  }
  const NormalQuadrature plane = normal_quadrature(20, 2);
  EXPECT_NEAR(plane.weights.sum(), 1, 1e-12);
  // E[exp(a.z)] = exp(|a|^2 / 2)
  const DoubleVector values = (0.5 * plane.nodes.col(0) - 0.8 * plane.nodes.col(1)).array().exp();
  EXPECT_NEAR(values.dot(plane.weights), std::exp((0.25 + 0.64) / 2), 1e-10);
}

TEST(NormalQuadrature, RefusesWhatItCannotDo) {
  EXPECT_THROW_MESSAGE(normal_quadrature(0, 1), InvalidArgument, "points is 0");
  EXPECT_THROW_MESSAGE(normal_quadrature(8, 3), InvalidArgument, "dimension is 3");
}

TEST(NaturalGaussian, StepsStayProperAndNear) {
  const NaturalGaussian q{DoubleVector::Constant(1, 4), DoubleMatrix::Constant(1, 1, 4)};  // N(1, 1/4)
  ASSERT_TRUE(q.full());
  const NaturalGaussian down = q + within_reach(q, {DoubleVector::Zero(1), DoubleMatrix::Constant(1, 1, -100)});
  EXPECT_TRUE(down.proper());
  EXPECT_GE(down.precision(0, 0), 2);
  const NaturalGaussian far = q + within_reach(q, {DoubleVector::Constant(1, 100), DoubleMatrix::Zero(1, 1)});
  EXPECT_LE(far.mean()(0), 1.5);
  EXPECT_GT(far.mean()(0), 1.2);

  // A mean field shortens every coordinate on its own.
  NaturalGaussian wide{DoubleVector::Zero(3), DoubleMatrix::Constant(1, 3, 0.01)};  // N(0, 100)
  NaturalGaussian move{DoubleVector(3), DoubleMatrix::Constant(1, 3, 2)};
  move.linear << 100, -0.5, 0;
  move.precision(0, 2) = -1;
  const NaturalGaussian next = wide + within_reach(wide, move);
  EXPECT_NEAR(next.mean()(0), 10, 1e-9);
  EXPECT_NEAR(next.mean()(1), -0.5 / 2.01, 1e-12);
  EXPECT_NEAR(next.precision(0, 2), 0.005, 1e-12);
}

// Rounds of a federation; q at its end.
NaturalGaussian posterior_of(const std::string& name,
                             const Model& model,
                             const std::vector<Batch>& shards,
                             const std::vector<std::vector<Index>>& schedule,
                             Index rounds,
                             const std::vector<std::pair<std::string, SettingValue>>& values = {}) {
  const Algorithm& algorithm = algorithm_named(name);
  Settings settings(algorithm.settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  Federation federation(algorithm, settings, model, shards, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), ListedSchedule(schedule), transport, recorder, {.rounds = rounds});
  for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
  return dynamic_cast<PviServer&>(federation.server()).posterior();
}

// d = 1 and 2 by quadrature, with correlations; d = 3 by draws, with a diagonal truth.
class ConjugatePvi : public testing::TestWithParam<Index> {
 protected:
  ConjugatePvi() : x_(random_matrix(9, GetParam(), 5, 2, 1.5)) {}

  ConjugateGaussian model() const {
    const Index d = GetParam();
    DoubleMatrix noise = DoubleMatrix::Identity(d, d) * 2;
    DoubleMatrix prior = DoubleMatrix::Identity(d, d) * 3;
    if (d == 2) noise(0, 1) = noise(1, 0) = 0.9;
    if (d == 2) prior(0, 1) = prior(1, 0) = -1;
    return {{DoubleVector::Constant(d, -1), prior}, noise};
  }
  std::vector<Batch> shards(Index count) const {
    std::vector<Batch> all;
    for (Index k = 0; k < count; ++k) all.push_back(Batch{x_, y_}.middle_rows(9 / count * k, 9 / count));
    return all;
  }
  void expect_exact(const NaturalGaussian& q, double alpha) const {
    const Gaussian truth = model().posterior(x_, alpha);
    EXPECT_TRUE(close(q.mean(), truth.mean, kExact));
    EXPECT_TRUE(close(q.covariance(), truth.covariance, kExact));
  }

  Matrix x_;
  Vector y_ = Vector::Zero(9);
};

TEST_P(ConjugatePvi, OneAgentAndGviAreExact) {
  const ConjugateGaussian truth = model();
  for (const double alpha : {1.0, 3.0}) {
    expect_exact(posterior_of("gvi", truth, shards(1), {{0}}, 2, {{"temperature", alpha}}), alpha);
    expect_exact(posterior_of("pvi", truth, shards(1), {{0}}, 2, {{"temperature", alpha}}), alpha);
  }
}

TEST_P(ConjugatePvi, ThreeAgentsAreExactInTurnTogetherAndMixed) {
  const ConjugateGaussian truth = model();
  expect_exact(posterior_of("pvi", truth, shards(3), {{0}, {1}, {2}}, 6), 1);
  expect_exact(posterior_of("pvi", truth, shards(3), {{0, 1, 2}}, 40), 1);
  expect_exact(posterior_of("pvi", truth, shards(3), {{0, 1}, {2}, {0, 2}}, 60, {{"damping", 0.5}}), 1);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ConjugatePvi, testing::Values(1, 2, 3));

// A damping of 1 with all agents together overshoots: the server must keep q proper all the same.
TEST(Pvi, UndampedParallelRoundsStayProper) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  EXPECT_TRUE(posterior_of("pvi", model, shards.per_agent(), {{0, 1}}, 30, {{"damping", 1.0}}).proper());
}

double toy_divergence(const NaturalGaussian& q, const GaussianMixture& model) {
  const Matrix places = grid_points({-9, 9, 3001});
  const DoubleVector gap = places.col(0).cast<double>().array() - q.mean()(0);
  const DoubleVector log_q = -0.5 * q.precision(0, 0) * gap.array().square();
  return kl_on_grid(log_q, model.log_posterior(places)).forward;
}

TEST(Pvi, AgreesWithGviOnTheToyAndFindsTheBestGaussian) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const double gvi = toy_divergence(posterior_of("gvi", model, {shards.all()}, {{0}}, 5), model);
  const double pvi = toy_divergence(posterior_of("pvi", model, shards.per_agent(), {{0}, {1}}, 20), model);
  RecordProperty("gvi", std::to_string(gvi));
  RecordProperty("pvi", std::to_string(pvi));
  EXPECT_NEAR(pvi, gvi, 0.05);
  // By brute force over means and deviations.
  double best = 1e9;
  for (double mean = -2; mean <= 2; mean += 0.05) {
    for (double deviation = 0.3; deviation <= 2; deviation += 0.05) {
      const double precision = 1 / (deviation * deviation);
      best =
          std::min(best,
                   toy_divergence(
                       {DoubleVector::Constant(1, precision * mean), DoubleMatrix::Constant(1, 1, precision)}, model));
    }
  }
  EXPECT_LT(gvi, best + 0.01);
  EXPECT_LT(pvi, best + 0.01);
  EXPECT_GT(gvi, 0.06);  // what DSVGD reaches: a Gaussian cannot
}

TEST(Pvi, AgreesWithGviOnThePlane) {
  const GaussianMixture model = toy_mixture_2d();
  const FactorShards shards(model);
  const NaturalGaussian gvi = posterior_of("gvi", model, {shards.all()}, {{0}}, 5);
  const NaturalGaussian pvi = posterior_of("pvi", model, shards.per_agent(), {{0}, {1}}, 20);
  EXPECT_TRUE(close(pvi.mean(), gvi.mean(), 0.02));
  EXPECT_TRUE(close(pvi.covariance(), gvi.covariance(), 0.02));
}

// The prior of logistic regression is no Gaussian: q(0) must be the Gaussian nearest to it, known in closed form.
TEST(Pvi, ProjectsAPriorThatIsNoGaussian) {
  const LogisticRegression model(6, {.prior_shape = 2, .prior_scale = 0.3});
  PviServer server({.model = &model, .rows = {10}, .seed = 4}, {});
  const NaturalGaussian q = server.posterior();
  // E[xi] = E[exp(l)] = a b; precision of the weights E[xi], of l: weights/2 + a.
  const double xi = 2 * 0.3;
  EXPECT_NEAR(q.mean()(6) + 0.5 / q.precision(0, 6), std::log(xi), 0.05);
  EXPECT_NEAR(q.precision(0, 6), 3 + 2, 0.4);
  for (Index k = 0; k < 6; ++k) EXPECT_NEAR(q.precision(0, k) / xi, 1, 0.05);
}

TEST(Pvi, LearnsWithANetworkAndRefusesAUniformPrior) {
  const Matrix x = random_matrix(60, 2, 8);
  const Vector y = x.col(0) - 0.5_r * x.col(1);
  const BnnRegression network({.inputs = 2, .hidden = 8});
  const Algorithm& pvi = algorithm_named("pvi");
  Federation federation(pvi, Settings(pvi.settings), network, {{x, y}}, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(1), transport, recorder, {.rounds = 6});
  const double before = network.log_predictive(recorder.particles.front(), {x, y}).mean();
  const double after = network.log_predictive(recorder.particles.back(), {x, y}).mean();
  RecordProperty("log_likelihood", std::to_string(after));
  EXPECT_GT(after, -0.8);
  EXPECT_GT(after, before - 0.1);

  const GaussianMixture box = toy_mixture_1d(ToyPrior::kUniform);
  const FactorShards shards(box);
  EXPECT_THROW_MESSAGE(Federation(pvi, Settings(pvi.settings), box, shards.per_agent(), {.seed = 1}),
                       InvalidArgument,
                       "uniform on a box");
}

TEST(Pvi, UpdatesRepeatToTheBitAndLeaveNoTraceUntilFolded) {
  const Matrix x = random_matrix(30, 3, 6);
  Vector y(30);
  for (Index i = 0; i < 30; ++i) y(i) = x(i, 1) > 0 ? 1 : -1;
  const LogisticRegression model(3);
  const GaussianSetup options{.local_steps = 20, .batch = 7};
  PviServer server({.model = &model, .rows = {30}, .seed = 2}, options);
  PviAgent agent({.model = &model, .data = {x, y}, .agent = 0, .total_rows = 30, .seed = 2}, options);
  const Task task = server.plan(1, {0}).front();
  const std::string fresh = agent.save();
  const Update sent = agent.update(task);
  const Belief& first = sent.belief;
  agent.settle({.round = 1, .agent = 0, .folded = false}, sent);
  EXPECT_EQ(agent.save(), fresh);
  agent.settle({.round = 1, .agent = 0, .folded = true}, sent);  // nothing is pending any more
  EXPECT_EQ(agent.save(), fresh);
  const Belief second = agent.update(task).belief;
  for (const std::size_t i : {0U, 1U}) EXPECT_TRUE(identical(second[i], first[i]));
  agent.settle({.round = 1, .agent = 0, .folded = true, .weight = 0.5}, sent);
  EXPECT_NE(agent.save(), fresh);
}

// Earlier programs kept the move q_k - q(i-1) while an upload waited, and looked the same otherwise.
TEST(Pvi, AWaitingUploadOfAnEarlierProgramIsRefused) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const GaussianSetup options{.local_steps = 5};
  PviServer server({.model = &model, .rows = {1, 1}, .seed = 1}, options);
  const AgentContext context{
      .model = &model, .data = shards.per_agent().front(), .agent = 0, .total_rows = 2, .seed = 1};
  PviAgent agent(context, options), other(context, options);
  const Task task = server.plan(1, {0}).front();
  const Update update = agent.update(task);
  other.restore(agent.save());
  for (PviAgent* each : {&agent, &other}) each->settle({.round = 1, .agent = 0, .folded = true}, update);
  EXPECT_EQ(other.save(), agent.save());

  StateWriter writer("pvi agent");
  writer.integer(0);
  writer.matrices(task.belief);
  writer.integer(1);
  writer.matrices(task.belief);
  EXPECT_THROW_MESSAGE(
      other.restore(std::move(writer).finish()), BadState, "its update waits in the form of an earlier program");
}

TEST(Pvi, AnImproperUploadIsObjectedTo) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  PviServer server({.model = &model, .rows = {1, 1}, .seed = 1}, {});
  Update update{1, 0, server.plan(1, {0}).front().belief};
  EXPECT_EQ(server.objection(update), "");
  update.belief[1](0, 0) = -0.1_r;
  EXPECT_THAT(server.objection(update), testing::HasSubstr("not positive definite"));
  update.belief[1](0, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_NE(server.objection(update), "");
  update.belief.pop_back();
  EXPECT_THAT(server.objection(update), testing::HasSubstr("expected 2"));
}

}  // namespace
}  // namespace fedstein
