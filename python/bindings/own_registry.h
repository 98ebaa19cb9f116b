// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <string>

#include "fedstein/registry/registry.h"

namespace fedstein::python {

namespace nb = nanobind;

// Our registry, with a user's own model and method where they are given; None: neither. With `tell`, what functions of
// the user's own raise in an agent's update is the round's failure, and `tell` hears their words; without it they come
// out of the call.
std::shared_ptr<const Registry> registry_with(nb::handle model,
                                              nb::handle method,
                                              const std::function<void(const std::string&)>& tell = {});

}  // namespace fedstein::python
