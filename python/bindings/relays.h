// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace fedstein::python {

namespace nb = nanobind;

// Server and agents of a federation whose bytes another engine carries.
void bind_server_relay(nb::module_& module);
void bind_agent_relay(nb::module_& module);
void bind_flower_app(nb::module_& module);

}  // namespace fedstein::python
