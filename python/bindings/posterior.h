// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace fedstein::python {

void bind_posterior(nanobind::module_& module);

}  // namespace fedstein::python
