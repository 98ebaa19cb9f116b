// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fedstein/base/index.h"

namespace fedstein {

enum class SvgdStop {
  kAllSteps,   // as many as were asked for
  kTolerance,  // the direction was shorter than SvgdOptions::tolerance
  kCallback,   // SvgdOptions::stop_when said so
};

// How a run of svgd() went.
struct SvgdSummary {
  Index steps = 0;  // that were taken
  SvgdStop stop = SvgdStop::kAllSteps;
  double tolerance = 0;  // that was asked for; 0: none

  // Root mean square of the last direction that was found: of the last step, or of the one not taken when the loop
  // ended early. Absent where nothing looks at directions (no tolerance, observe or stop_when), because measuring it
  // costs time, and where no step was begun.
  std::optional<double> direction = {};
  // Kernelised Stein discrepancy of the result, with the options' kernel and the scores of the next step. Only where
  // SvgdOptions::measure_ksd asks for it.
  std::optional<double> ksd = {};

  // All of it in one sentence.
  std::string message() const;
};

}  // namespace fedstein
