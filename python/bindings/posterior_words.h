// SPDX-License-Identifier: Apache-2.0
// What a posterior says, as dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "fedstein/data/scaling.h"
#include "fedstein/posterior/judgement.h"
#include "fedstein/posterior/summary.h"

namespace fedstein::python {

namespace nb = nanobind;

nb::dict dict_of(const PosteriorSummary& summary);
nb::dict dict_of(const Judgement& judgement);
nb::dict dict_of(const Scaling& scaling);
// Of a rule that looks at rows.
ScalingRule scaling_rule(const std::string& name);

}  // namespace fedstein::python
