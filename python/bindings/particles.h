// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace fedstein::python {

void bind_target(nanobind::module_& module);
void bind_svgd(nanobind::module_& module);
void bind_diagnostics(nanobind::module_& module);

}  // namespace fedstein::python
