// SPDX-License-Identifier: Apache-2.0
// FedBE: what its ensemble holds, what its student learns, and that the ensemble is worth having on skewed data.
#include "fedstein/methods/fedbe.h"

#include <gtest/gtest.h>

#include <array>

#include "fedstein/methods/points/teacher_score.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Values = std::vector<std::pair<std::string, SettingValue>>;

Settings settings_of(const Values& values) {
  Settings settings(algorithm_named("fedbe").settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  return settings;
}

// Three classes around three corners; each of three agents has 32 rows of one class and 4 of each other.
struct LabelSkew {
  explicit LabelSkew(std::uint64_t seed) : x(random_matrix(120, 2, seed)), y(120) {
    for (Index i = 0; i < 120; ++i) {
      const Index agent = i / 40;
      const Index label = i % 40 < 32 ? agent : (agent + 1 + (i % 40 - 32) / 4) % 3;
      x(i, 0) += std::array<Real, 3>{-0.7_r, 0.7_r, 0}[static_cast<std::size_t>(label)];
      x(i, 1) += std::array<Real, 3>{-0.5_r, -0.5_r, 0.7_r}[static_cast<std::size_t>(label)];
      y(i) = static_cast<Real>(label);
    }
  }
  Batch all() const { return {x, y}; }
  std::vector<Batch> shards() const {
    return {all().middle_rows(0, 40), all().middle_rows(40, 40), all().middle_rows(80, 40)};
  }
  Matrix x;
  Vector y;
};

class FedBe : public testing::Test {
 protected:
  Recorder run(Federation& federation, Index rounds) const {
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    coordinate(federation.server(), RandomFraction(federation.agents(), 1, 1), transport, recorder, {.rounds = rounds});
    return recorder;
  }

  LabelSkew train_{1};
  LabelSkew test_{2};
  BnnClassification model_{{.inputs = 2, .hidden = 10, .classes = 3}};
  Values values_ = {{"learning_rate", 0.01}, {"local_steps", Index{100}}, {"batch", Index{20}}};
};

TEST_F(FedBe, TheEnsembleIsTheMeanTheAgentsAndDrawsFromTheirGaussian) {
  Values values = values_;
  values.insert(values.end(), {{"samples", Index{400}}, {"distillation_epochs", Index{0}}});
  Federation federation(algorithm_named("fedbe"), settings_of(values), model_, train_.shards(), {3, &test_.x});
  const auto tasks = federation.server().plan(1, {0, 1, 2});
  std::vector<Update> updates;
  for (const Task& task : tasks) updates.push_back(federation.agent(task.agent).update(task));
  federation.server().fold(1, updates);

  const Particles ensemble = federation.server().particles();
  ASSERT_EQ(ensemble.rows(), 404);
  const Matrix agents = ensemble.middleRows(1, 3);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_TRUE(identical(agents.row(k), updates[static_cast<std::size_t>(k)].belief[0]));
  }
  const Matrix mean = agents.colwise().mean();
  EXPECT_TRUE(close(ensemble.row(0), mean));
  EXPECT_TRUE(identical(federation.server().plan(2, {0}).front().belief[0], ensemble.row(0))) << "no student: the mean";

  const Matrix samples = ensemble.bottomRows(400).rowwise() - mean.row(0);
  const RowVector wanted = (agents.rowwise() - mean.row(0)).cwiseAbs2().colwise().mean().cwiseSqrt();
  const RowVector found = samples.cwiseAbs2().colwise().mean().cwiseSqrt();
  EXPECT_TRUE(close(found, wanted, 0.1));
  EXPECT_LT(samples.colwise().mean().cwiseAbs().maxCoeff(), 0.2_r * wanted.maxCoeff());
}

TEST_F(FedBe, TheEnsembleBeatsTheMeanModelOnSkewedShards) {
  // Long local training that ends far apart, over several draws of the data: the rounds' mean must gain in each.
  Values values = values_;
  values.insert(values.end(), {{"local_steps", Index{400}}});
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const LabelSkew train(seed);
    const LabelSkew test(seed + 100);
    Federation federation(algorithm_named("fedbe"), settings_of(values), model_, train.shards(), {3, &train.x});
    const Recorder recorder = run(federation, 6);
    double together = 0;
    double mean = 0;
    for (const Particles& ensemble : recorder.particles) {
      EXPECT_EQ(ensemble.rows(), 14);
      together += model_.log_predictive(ensemble, test.all()).mean() / 6;
      mean += model_.log_predictive(ensemble.topRows(1), test.all()).mean() / 6;
    }
    EXPECT_GT(together, mean + 0.02) << seed;
  }
}

// The teacher's distance to a student: mean over rows of KL(teacher || student).
double divergence(const Predictive& model, const Particles& teacher, const Matrix& student, const Matrix& x) {
  const DoubleMatrix p = model.predict(teacher, x).probabilities.cast<double>();
  const DoubleMatrix q = model.predict(student, x).probabilities.cast<double>();
  return (p.array() * (p.array().log() - q.array().log())).rowwise().sum().mean();
}

TEST_F(FedBe, TheStudentComesNearerToTheEnsembleThanTheMeanIs) {
  Federation federation(algorithm_named("fedbe"), settings_of(values_), model_, train_.shards(), {3, &train_.x});
  run(federation, 1);
  const Particles ensemble = federation.server().particles();
  const Matrix student = federation.server().plan(2, {0}).front().belief[0];
  EXPECT_LT(divergence(model_, ensemble, student, train_.x),
            0.5 * divergence(model_, ensemble, ensemble.topRows(1), train_.x));
}

TEST_F(FedBe, LabelsOfTheTeacherGiveItsSoftLabelGradient) {
  const Matrix student = random_matrix(1, model_.dimension(), 4, 0, 0.3);
  const Particles teachers = random_matrix(5, model_.dimension(), 5, 0, 0.5);
  const Matrix x = train_.x.topRows(6);
  const Prediction prediction = model_.predict(teachers, x);
  Matrix expected = Matrix::Zero(1, model_.dimension());
  for (Index i = 0; i < 6; ++i) {
    for (Index c = 0; c < 3; ++c) {
      const Vector label = Vector::Constant(1, static_cast<Real>(c));
      model_.add_likelihood_score(
          student, {x.row(i), label}, static_cast<double>(prediction.probabilities(i, c)) / 6, expected);
    }
  }
  TeacherScore lesson(model_, x, prediction, 1);
  lesson.choose_rows(6, {.seed = 1});
  Matrix found = Matrix::Zero(1, model_.dimension());
  for (Index step = 0; step < 4000; ++step) lesson.add(student, step, 1 / 4000.0, found);
  EXPECT_TRUE(close(found, expected, 0.03));
}

TEST_F(FedBe, ARegressionsStudentLearnsMeanAndSpread) {
  const BnnRegression model({.inputs = 2, .hidden = 10});
  const Vector target = train_.x.col(0) + 0.1_r * random_matrix(120, 1, 7).col(0);
  const Batch data{train_.x, target};
  Federation federation(algorithm_named("fedbe"),
                        settings_of(values_),
                        model,
                        {data.middle_rows(0, 60), data.middle_rows(60, 60)},
                        {3, &train_.x});
  run(federation, 5);
  const Particles ensemble = federation.server().particles();
  const Prediction teacher = model.predict(ensemble, train_.x);
  const Prediction student = model.predict(federation.server().plan(6, {0}).front().belief[0], train_.x);
  const double error = (student.mean - teacher.mean).squaredNorm() / 120;
  const double variance = (teacher.aleatoric_variance + teacher.epistemic_variance).mean();
  EXPECT_LT(error, 0.2 * variance);
  EXPECT_NEAR(student.aleatoric_variance(0) / (variance + error), 1, 0.25);
}

TEST_F(FedBe, OneAgentIsFedAvg) {
  const Values values = {{"distillation_epochs", Index{0}}};
  const LogisticRegression model(2);
  const Vector sign = (train_.y.array() > 0).select(Vector::Ones(120), -Vector::Ones(120));
  const std::vector<Batch> whole = {{train_.x, sign}};
  Federation fedbe(algorithm_named("fedbe"), settings_of(values), model, whole, {3, &train_.x});
  Federation fedavg(algorithm_named("fedavg"), Settings(algorithm_named("fedavg").settings), model, whole, {.seed = 3});
  run(fedbe, 2);
  run(fedavg, 2);
  const Particles ensemble = fedbe.server().particles();
  for (Index n = 0; n < ensemble.rows(); ++n) EXPECT_TRUE(identical(ensemble.row(n), fedavg.server().particles()));
}

TEST_F(FedBe, RefusesWhatItCannotServe) {
  const auto make = [&](const Model& model, const Matrix* inputs) {
    Federation(algorithm_named("fedbe"), settings_of({}), model, train_.shards(), {3, inputs});
  };
  EXPECT_THROW_MESSAGE(make(model_, nullptr), InvalidArgument, "no unlabelled inputs");
  const Matrix none(0, 2);
  EXPECT_THROW_MESSAGE(make(model_, &none), InvalidArgument, "no unlabelled inputs");
  const Matrix wide = Matrix::Zero(3, 5);
  EXPECT_THROW_MESSAGE(make(model_, &wide), InvalidArgument, "it must have 2 columns");
  Matrix broken = Matrix::Zero(3, 2);
  broken(1, 1) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(make(model_, &broken), InvalidArgument, "unlabelled");
  const GaussianMixture toy = toy_mixture_1d(ToyPrior::kNormal);
  EXPECT_THROW_MESSAGE(make(toy, &wide), InvalidArgument, "distils predictions");
}

}  // namespace
}  // namespace fedstein
