// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd_summary.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

const char* reason(SvgdStop stop) {
  switch (stop) {
    case SvgdStop::kTolerance:
      return "the direction is below the tolerance";
    case SvgdStop::kCallback:
      return "the callback ended it";
    case SvgdStop::kAllSteps:
      break;
  }
  return "all steps are taken";
}

}  // namespace

std::string SvgdSummary::message() const {
  std::string text =
      "svgd stopped after " + std::to_string(steps) + (steps == 1 ? " step" : " steps") + " because " + reason(stop);
  if (stop == SvgdStop::kAllSteps && tolerance > 0)
    text += "; the tolerance " + to_text(tolerance) + " was not reached";
  if (direction) text += ", last direction " + to_text(*direction);
  if (ksd) text += ", KSD " + to_text(*ksd);
  return text + ".";
}

}  // namespace fedstein
