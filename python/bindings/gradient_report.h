// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "fedstein/stein/gradient_check.h"

namespace fedstein::python {

namespace nb = nanobind;

nb::dict dict_of(const GradientReport& report);
// The library's own tolerance where none is given.
GradientCheckOptions gradient_options(const char* function,
                                      std::optional<double> tolerance,
                                      Index most_coordinates,
                                      bool skip_kinks);

}  // namespace fedstein::python
