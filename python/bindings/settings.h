// SPDX-License-Identifier: Apache-2.0
// Settings as Python's dictionaries, and what there is by name as data.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "fedstein/base/settings.h"
#include "fedstein/data/dataset.h"

namespace fedstein::python {

namespace nb = nanobind;

// The definitions with these values. Throws InvalidArgument naming key, value and what is allowed.
Settings settings_of(const std::vector<Setting>& definitions, nb::dict given, const char* function);
nb::dict dict_of(const Settings& settings);
// A definition made in Python: key, default, help, least, most, choices.
Setting definition_of(nb::dict given, const char* function);

// "binary", ...; throws InvalidArgument.
LabelKind labels_of(const std::string& name, const char* function);

void bind_registry(nb::module_& module);

}  // namespace fedstein::python
