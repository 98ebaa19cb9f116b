// SPDX-License-Identifier: Apache-2.0
#include "gradient_report.h"

#include <nanobind/stl/string.h>

#include "fedstein/base/check.h"

namespace fedstein::python {

nb::dict dict_of(const GradientReport& report) {
  nb::dict out;
  out["agrees"] = report.agrees;
  out["error"] = report.error;
  out["particle"] = report.particle;
  out["coordinate"] = report.coordinate;
  out["score"] = report.score;
  out["difference"] = report.difference;
  out["kinks"] = report.kinks;
  out["message"] = report.message;
  return out;
}

GradientCheckOptions gradient_options(const char* function,
                                      std::optional<double> tolerance,
                                      Index most_coordinates,
                                      bool skip_kinks) {
  GradientCheckOptions options;
  if (tolerance) {
    check_positive(function, "tolerance", *tolerance);
    options.tolerance = *tolerance;
  }
  check_argument(most_coordinates >= 1, function, [&] {
    return "most_coordinates is " + std::to_string(most_coordinates) + "; it must be at least 1";
  });
  options.most_coordinates = most_coordinates;
  options.skip_kinks = skip_kinks;
  return options;
}

}  // namespace fedstein::python
