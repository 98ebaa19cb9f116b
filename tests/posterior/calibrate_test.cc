// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/calibrate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "fedstein/metrics/regression.h"
#include "fedstein/numeric/check.h"
#include "posterior/made_posteriors.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double value_at(const Predictor& predictor, const Dataset& rows, double temperature) {
  return mean_log_likelihood(predictor.log_predictive(rows.x, rows.y, temperature));
}

std::optional<Calibration> calibrated(const Predictor& predictor, const Dataset& rows) {
  try {
    return calibrate(predictor, rows);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

RC_GTEST_PROP(Calibrate, NeverDoesHarmToTheRowsItSaw, ()) {
  const int kind = *rc::gen::inRange(0, 3);
  Posterior posterior = kind == 0 ? made_binary() : kind == 1 ? made_classes() : made_regression();
  posterior.particles *= static_cast<Real>(*rc::gen::inRange(1, 40)) / 10;
  posterior.temperature = *rc::gen::inRange(1, 50) / 10.0;
  const Predictor predictor(posterior);
  const Dataset rows = random_dataset(posterior, *rc::gen::inRange<Index>(1, 60), *rc::gen::arbitrary<std::uint32_t>());
  const std::optional<Calibration> answer = calibrated(predictor, rows);
  if (!answer) {  // refused: of one class, or best at an end of the range
    const bool has_one_class = predictor.classifies() && (rows.y.array() == rows.y(0)).all();
    const double least = value_at(predictor, rows, kLeastTemperature);
    const double most = value_at(predictor, rows, kMostTemperature);
    const double middle = value_at(predictor, rows, 1);
    RC_ASSERT(has_one_class || least >= middle || most >= middle);
    return;
  }
  const Calibration& found = *answer;
  RC_ASSERT(found.temperature > kLeastTemperature * 1.0001);
  RC_ASSERT(found.temperature < kMostTemperature / 1.0001);
  RC_ASSERT(found.log_likelihood_before == value_at(predictor, rows, posterior.temperature));
  RC_ASSERT(found.log_likelihood_after >= found.log_likelihood_before);
  RC_ASSERT(found.log_likelihood_after == value_at(predictor, rows, found.temperature));
}

// Labels drawn from the model's own probabilities at temperature 3: the model itself is three times too sure.
TEST(Calibrate, FindsHowMuchTooSureAModelIs) {
  Posterior posterior = made_binary();
  posterior.particles = (4 * posterior.particles.topRows(1)).eval();  // the right side reads what the left side resizes
  posterior.temperature = 3;
  Dataset rows = random_dataset(posterior, 20000, 21);
  const RowPredictions truth = Predictor(posterior).predict(rows.x);
  Rng rng({.seed = 22, .purpose = Purpose::kTest});
  for (Index i = 0; i < rows.y.size(); ++i)
    rows.y(i) = rng.uniform() < static_cast<double>(truth.probabilities(i, 1)) ? 1.0_r : -1.0_r;
  posterior.temperature = 1;
  const Calibration found = calibrate(Predictor(posterior), rows);
  EXPECT_NEAR(found.temperature, 3, 0.15);
  EXPECT_GT(found.log_likelihood_after, found.log_likelihood_before + 0.01);

  posterior.temperature = found.temperature;  // what is calibrated stays as it is
  EXPECT_NEAR(calibrate(Predictor(posterior), rows).temperature, found.temperature, 0.01);
}

TEST(Calibrate, WidensTheNoiseOfARegression) {
  const Posterior posterior = made_regression();
  const Dataset rows = random_dataset(posterior, 500, 31);
  const Predictor predictor(posterior);
  const Calibration found = calibrate(predictor, rows);
  for (const double factor : {0.8, 0.95, 1.05, 1.2}) {
    EXPECT_GE(found.log_likelihood_after, value_at(predictor, rows, factor * found.temperature)) << factor;
  }
}

TEST(Calibrate, RefusesWhatHasNoTemperature) {
  Posterior posterior = made_regression();
  EXPECT_THROW_MESSAGE(calibrate(Predictor(posterior), {}), InvalidArgument, "there are no rows");
  posterior.settings.set("loss", std::string("student"));
  const Dataset rows = random_dataset(posterior, 5, 1);
  EXPECT_THROW_MESSAGE(calibrate(Predictor(posterior), rows), InvalidArgument, "a Student loss has no temperature");
}

TEST(Calibrate, RefusesRowsThatTellNoTemperature) {
  Posterior posterior = made_binary();
  posterior.particles =
      posterior.particles.topRows(1).eval();  // several would disagree about some rows at any temperature
  const Predictor predictor(posterior);
  Dataset rows = random_dataset(posterior, 40, 5);
  rows.y.setOnes();
  EXPECT_THROW_MESSAGE(calibrate(predictor, rows), InvalidArgument, "40 rows of one class only ('");
  const RowPredictions truth = predictor.predict(rows.x);
  for (Index i = 0; i < rows.y.size(); ++i) rows.y(i) = truth.probabilities(i, 1) > Real{0.5} ? 1.0_r : -1.0_r;
  EXPECT_THROW_MESSAGE(calibrate(predictor, rows), InvalidArgument, "the best temperature for 40 rows is 0.05");
  rows.y = -rows.y;
  EXPECT_THROW_MESSAGE(calibrate(predictor, rows), InvalidArgument, "the best temperature for 40 rows is 20");
}

}  // namespace
}  // namespace fedstein
