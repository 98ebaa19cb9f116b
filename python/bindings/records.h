// SPDX-License-Identifier: Apache-2.0
// What there is to say about rounds, as dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include "fedstein/algorithm/federation.h"

namespace fedstein::python {

namespace nb = nanobind;

nb::dict dict_of(const RoundRecord& record);
nb::dict dict_of(const RunSummary& summary);

}  // namespace fedstein::python
