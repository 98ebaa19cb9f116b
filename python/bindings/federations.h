// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>

#include "fedstein/algorithm/algorithm.h"

namespace fedstein::python {

namespace nb = nanobind;

struct HeldModel;

// A method as Python has it: one of ours by its name, or one of the user's own.
struct HeldMethod {
  std::shared_ptr<const Algorithm> algorithm = {};
  // Of the user's own: the method for this model, which its functions are shown; a plain pointer could outlive it.
  std::function<Algorithm(const HeldModel& model)> for_model = {};
};
HeldMethod method_of(nb::handle given, const char* function);

// Matrices that travel.
nb::list list_of(const Belief& belief);
Belief belief_of(nb::handle given, const char* function, const char* name);

void bind_method(nb::module_& module);
void bind_federation(nb::module_& module);

}  // namespace fedstein::python
