// SPDX-License-Identifier: Apache-2.0
// What the functions of a model are given.
#pragma once

#include "arrays.h"
#include "models.h"

namespace fedstein::python {

// As many columns as the model has parameters, and at least one row.
MatrixArgument theta_of(const HeldModel& self, nb::handle given, const Argument& argument);
// Rows and labels that the model takes.
RowsArgument rows_of(const HeldModel& self, nb::handle x, nb::handle y, const char* function);
void check_temperature(const char* function, double temperature);

// The parts of the class.
void bind_model_densities(nb::class_<HeldModel>& bound);
void bind_model_predictions(nb::class_<HeldModel>& bound);

}  // namespace fedstein::python
