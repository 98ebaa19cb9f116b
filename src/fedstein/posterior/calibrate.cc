// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/calibrate.h"

#include <cmath>
#include <numbers>

#include "fedstein/metrics/regression.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Of log T: a temperature is found to a thousandth, far below what any held-out set can tell.
constexpr double kWidth = 1e-3;
constexpr double kGolden = std::numbers::phi - 1;

}  // namespace

Calibration calibrate(const Predictor& predictor, const Dataset& held_out) {
  constexpr const char* kWho = "calibrate";
  check_argument(held_out.x.rows() >= 1, kWho, "there are no rows; at least 1 is needed");
  check_argument(predictor.can_be_tempered(),
                 kWho,
                 "a Student loss has no temperature, nor have counts, nor has a regression of your own");
  const auto likelihood = [&](double temperature) {
    return mean_log_likelihood(predictor.log_predictive(held_out.x, held_out.y, temperature));
  };
  const auto value = [&](double log_temperature) { return likelihood(std::exp(log_temperature)); };
  double low = std::log(kLeastTemperature);
  double high = std::log(kMostTemperature);
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double left_value = value(left);
  double right_value = value(right);
  while (high - low > kWidth) {
    if (left_value >= right_value) {
      high = right;
      right = left;
      right_value = left_value;
      left = high - kGolden * (high - low);
      left_value = value(left);
    } else {
      low = left;
      left = right;
      left_value = right_value;
      right = low + kGolden * (high - low);
      right_value = value(right);
    }
  }
  Calibration out;
  out.temperature = predictor.posterior().temperature;
  out.log_likelihood_before = likelihood(out.temperature);
  out.log_likelihood_after = out.log_likelihood_before;
  // A search that ends at a lesser hill than the one it began on changes nothing.
  const double found = std::exp((low + high) / 2);
  if (const double reached = likelihood(found); reached > out.log_likelihood_before) {
    out.temperature = found;
    out.log_likelihood_after = reached;
  }
  return out;
}

}  // namespace fedstein
