// SPDX-License-Identifier: Apache-2.0
// Temperature scaling (Guo et al. 2017, "On Calibration of Modern Neural Networks") on rows nobody trained on.
#pragma once

#include "fedstein/data/dataset.h"
#include "fedstein/posterior/predictor.h"

namespace fedstein {

// The range that is searched. Beyond it a model is not over- or underconfident but broken.
inline constexpr double kLeastTemperature = 0.05;
inline constexpr double kMostTemperature = 20;

struct Calibration {
  double temperature = 1;
  double log_likelihood_before = 0;  // mean per row, at the posterior's own temperature
  double log_likelihood_after = 0;   // never below the one before
};

// The temperature at which the rows' mean log predictive is greatest, found by golden section over its logarithm. Rows
// must be others than those trained on: there the answer would always be "surer". Throws InvalidArgument for rows that
// do not fit or tell no temperature (of one class only, or with the best at an end of the range), and for a model
// without a temperature.
Calibration calibrate(const Predictor& predictor, const Dataset& held_out);

}  // namespace fedstein
