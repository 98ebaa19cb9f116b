// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "fedstein/registry/registry.h"

namespace fedstein::python {

namespace nb = nanobind;

// Our registry, with a user's own model and method where they are given; None: neither.
std::shared_ptr<const Registry> registry_with(nb::handle model, nb::handle method);

void bind_relays(nb::module_& module);

}  // namespace fedstein::python
