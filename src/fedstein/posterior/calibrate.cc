// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/calibrate.h"

#include <cmath>
#include <numbers>
#include <string>

#include "fedstein/base/counted.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Of log T: a temperature is found to a thousandth, far below what any held-out set can tell.
constexpr double kWidth = 1e-3;
constexpr double kGolden = std::numbers::phi - 1;
constexpr const char* kWho = "calibrate";

// Of one class alone, every surer model is the better one.
void check_classes(const Predictor& predictor, const Vector& labels) {
  if (!predictor.classifies()) return;
  const Real first = labels(0);
  check_argument((labels.array() != first).any(), kWho, [&] {
    const Posterior& posterior = predictor.posterior();
    const bool is_binary = posterior.shape.labels == LabelKind::kBinary;
    const auto place = static_cast<std::size_t>(is_binary ? (first > 0 ? 1 : 0) : first);
    return counted(labels.size(), "row") + " of one class only ('" + posterior.class_names[place] +
           "'): a temperature needs rows of other classes too";
  });
}

[[noreturn]] void refuse_end(const char* end, Index rows) {
  refuse(
      kWho,
      std::string("the best temperature for ") + counted(rows, "row") + " is " + end +
          ", where the search ends: they tell none; more rows are needed, of which the model gets some wrong and most "
          "right");
}

}  // namespace

Calibration calibrate(const Predictor& predictor, const Dataset& held_out) {
  check_argument(held_out.x.rows() >= 1, kWho, "there are no rows; at least 1 is needed");
  check_argument(predictor.can_be_tempered(),
                 kWho,
                 "a Student loss has no temperature, nor have counts, nor has a regression of your own");
  check_classes(predictor, held_out.y);
  const auto likelihood = [&](double temperature) {
    return mean_log_likelihood(predictor.log_predictive(held_out.x, held_out.y, temperature));
  };
  const auto value = [&](double log_temperature) { return likelihood(std::exp(log_temperature)); };
  const double least = std::log(kLeastTemperature);
  const double most = std::log(kMostTemperature);
  double low = least;
  double high = most;
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
  const double reached = likelihood(found);
  if (reached >= out.log_likelihood_before) {
    if (low == least) refuse_end("0.05", held_out.x.rows());
    if (high == most) refuse_end("20", held_out.x.rows());
  }
  if (reached > out.log_likelihood_before) {
    out.temperature = found;
    out.log_likelihood_after = reached;
  }
  return out;
}

}  // namespace fedstein
