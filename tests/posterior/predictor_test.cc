// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/predictor.h"

#include "fedstein/model/count_regression.h"
#include "fedstein/numeric/check.h"
#include "posterior/made_posteriors.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kRows = 5000;  // more than the predictor works on at a time

class ClassPredictor : public testing::TestWithParam<Posterior (*)()> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ClassPredictor, testing::Values(made_binary, made_classes));

// Temperature 1 changes nothing: what the model itself says of rows that were scaled by hand.
TEST_P(ClassPredictor, AtTemperatureOneIsTheModelOnScaledRows) {
  const Posterior posterior = GetParam()();
  const Predictor predictor(posterior);
  const Matrix x = raw_rows(posterior, kRows, 3);
  const Vector y = random_labels(posterior, kRows, 4);
  const Matrix scaled = scaled_rows(posterior, x);
  const Prediction expected = make_model(posterior)->predictive()->predict(posterior.particles, scaled);
  const RowPredictions found = predictor.predict(x);
  EXPECT_TRUE(close(found.probabilities, expected.probabilities));
  EXPECT_TRUE(close(found.aleatoric, expected.mean_entropy));
  EXPECT_TRUE(close(found.total, found.aleatoric + found.epistemic));
  EXPECT_GE(found.epistemic.minCoeff(), 0);
  EXPECT_TRUE(close(predictor.log_predictive(x, y),
                    make_model(posterior)->predictive()->log_predictive(posterior.particles, {scaled, y})));
}

// p^(1/T), normalised, particle by particle.
TEST_P(ClassPredictor, ATemperatureFlattensEveryParticle) {
  Posterior posterior = GetParam()();
  posterior.temperature = 2.5;
  const Matrix x = raw_rows(posterior, 50, 5);
  const RowPredictions found = Predictor(posterior).predict(x);
  const auto model = make_model(posterior);
  DoubleMatrix expected = DoubleMatrix::Zero(50, posterior.shape.classes);
  for (const auto& particle : posterior.particles.rowwise()) {
    DoubleMatrix p = model->predictive()->predict(particle, scaled_rows(posterior, x)).probabilities.cast<double>();
    p = p.array().pow(1 / 2.5);
    for (Index i = 0; i < p.rows(); ++i) expected.row(i) += p.row(i) / p.row(i).sum() / 4;
  }
  EXPECT_TRUE(close(found.probabilities, expected));
  posterior.temperature = 1;
  EXPECT_GT(found.total.mean(), Predictor(posterior).predict(x).total.mean());
}

// Probabilities of 0 and 1 in single precision, yet the log predictive is finite and right.
TEST(Predictor, IsSureBeyondProbabilities) {
  Posterior posterior = made_binary();
  posterior.scaling = {ScalingRule::kNone, DoubleVector::Zero(3), DoubleVector::Ones(3)};
  posterior.particles = Matrix::Zero(1, 4);
  posterior.particles(0, 0) = 1000;
  const Predictor predictor(posterior);
  Matrix x = Matrix::Zero(1, 3);
  x(0, 0) = 1;
  const Vector wrong = Vector::Constant(1, -1);
  EXPECT_NEAR(predictor.log_predictive(x, wrong)(0), -1000, 0.01);
  EXPECT_NEAR(predictor.log_predictive(x, wrong, 10)(0), -100, 0.01);
}

TEST(Predictor, RegressionIsInTheTargetsUnit) {
  Posterior posterior = made_regression();
  const Matrix x = raw_rows(posterior, kRows, 6);
  const Vector y = random_labels(posterior, kRows, 7);
  const Matrix scaled = scaled_rows(posterior, x);
  const auto model = make_model(posterior);
  const Prediction expected = model->predictive()->predict(posterior.particles, scaled);
  const Predictor predictor(posterior);
  const RowPredictions found = predictor.predict(x);
  EXPECT_TRUE(close(found.mean, (5 * expected.mean.array() + 100).matrix()));
  EXPECT_TRUE(close(found.epistemic.cwiseAbs2(), 25 * expected.epistemic_variance));
  EXPECT_TRUE(close(found.total.cwiseAbs2(), found.aleatoric.cwiseAbs2() + found.epistemic.cwiseAbs2()));
  const Vector target = ((y.array() - 100) / 5).matrix();
  const DoubleVector density = model->predictive()->log_predictive(posterior.particles, {scaled, target});
  EXPECT_TRUE(close(predictor.log_predictive(x, y), (density.array() - std::log(5)).matrix()));

  posterior.temperature = 4;
  const RowPredictions tempered = Predictor(posterior).predict(x);
  EXPECT_TRUE(close(tempered.aleatoric, 2 * found.aleatoric));
  EXPECT_TRUE(close(tempered.epistemic, found.epistemic));
}

TEST(Predictor, CountsAreTheModelsOnScaledRows) {
  Posterior posterior = made_counts();
  const Matrix x = raw_rows(posterior, kRows, 6);
  const Vector y = random_labels(posterior, kRows, 7);
  const Matrix scaled = scaled_rows(posterior, x);
  const auto model = make_model(posterior);
  const Prediction expected = model->predictive()->predict(posterior.particles, scaled);
  const Predictor predictor(posterior);
  const RowPredictions found = predictor.predict(x);
  EXPECT_TRUE(close(found.mean, expected.mean));
  EXPECT_TRUE(close(found.aleatoric.cwiseAbs2(), expected.aleatoric_variance));
  EXPECT_TRUE(close(found.total.cwiseAbs2(), expected.aleatoric_variance + expected.epistemic_variance));
  EXPECT_TRUE(
      close(predictor.log_predictive(x, y), model->predictive()->log_predictive(posterior.particles, {scaled, y})));
  const auto& counts = dynamic_cast<const CountRegression&>(*model);
  EXPECT_TRUE(close(predictor.central_mass(x, y), counts.central_mass(posterior.particles, {scaled, y})));
  EXPECT_EQ(Predictor(made_regression()).central_mass(x, y).size(), 0);
  EXPECT_THROW_MESSAGE(predictor.mixture(x), InvalidArgument, "only a regression with a Gaussian loss");
  EXPECT_THROW_MESSAGE(predictor.log_predictive(x, y, 2), InvalidArgument, "nor have counts");
  posterior.scaling.target_spread = 2;
  EXPECT_THROW_MESSAGE(Predictor(posterior), InvalidArgument, "counts are never scaled");
}

TEST(Predictor, OfLinearRegressionIsInTheTargetsUnit) {
  const Posterior posterior = made_posterior("linear-regression", LabelKind::kRegression, 0);
  const Matrix x = raw_rows(posterior, 50, 6);
  const Prediction expected =
      make_model(posterior)->predictive()->predict(posterior.particles, scaled_rows(posterior, x));
  const Predictor predictor(posterior);
  EXPECT_TRUE(close(predictor.predict(x).mean, (5 * expected.mean.array() + 100).matrix()));
  EXPECT_TRUE(predictor.can_be_tempered());
}

TEST(Predictor, AStudentLossHasNoTemperature) {
  Posterior posterior = made_regression();
  posterior.settings.set("loss", std::string("student"));
  const Predictor predictor(posterior);
  EXPECT_FALSE(predictor.can_be_tempered());
  const Matrix x = raw_rows(posterior, 10, 8);
  EXPECT_TRUE(predictor.log_predictive(x, random_labels(posterior, 10, 9)).allFinite());
  posterior.temperature = 2;
  EXPECT_THROW_MESSAGE(Predictor(posterior), InvalidArgument, "a Student loss has no temperature but 1");
}

TEST(Predictor, RefusesRowsThatDoNotFit) {
  const Predictor predictor(made_binary());
  EXPECT_THROW_MESSAGE(predictor.predict(Matrix::Zero(2, 4)), InvalidArgument, "x is 2 x 4; it must have 3 columns");
  Matrix x = Matrix::Zero(2, 3);
  x(1, 1) = std::numeric_limits<Real>::infinity();
  EXPECT_THROW_MESSAGE(predictor.predict(x), InvalidArgument, "x");
  EXPECT_EQ(predictor.predict(Matrix(0, 3)).rows(), 0);
}

TEST(Predictor, SaysWhenNumbersAreTooLargeForAnyPrediction) {
  for (Posterior posterior : {made_classes(), made_regression()}) {
    posterior.particles.row(1).setConstant(std::numeric_limits<Real>::max() / 2);
    const Predictor predictor(posterior);
    EXPECT_THROW_MESSAGE(
        predictor.predict(raw_rows(posterior, 3, 1)), InvalidArgument, "has no finite prediction by particles whose");
  }
}

}  // namespace
}  // namespace fedstein
