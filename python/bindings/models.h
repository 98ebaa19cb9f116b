// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "fedstein/registry/registry.h"

namespace fedstein::python {

namespace nb = nanobind;

// A model as Python has it: shared with everything that was made of it.
struct HeldModel {
  std::shared_ptr<const Model> model = {};
  std::string type = {};
  Settings settings{{}};
  ModelShape shape = {};
  bool is_own = false;
};

HeldModel make_held_model(const std::string& type, nb::dict settings, const ModelShape& shape);

void bind_model(nb::module_& module);
void bind_own_model(nb::module_& module);

}  // namespace fedstein::python
