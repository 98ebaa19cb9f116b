// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "federations.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {

nb::list list_of(const Belief& belief) {
  nb::list out;
  for (const Matrix& part : belief) out.append(copy_of(part));
  return out;
}

Belief belief_of(nb::handle given, const char* function, const char* name) {
  check_argument(nb::isinstance<nb::list>(given) || nb::isinstance<nb::tuple>(given), function, [&] {
    return std::string(name) + " is a " + class_name(given) + "; it must be a list of arrays of 2 dimensions";
  });
  Belief out;
  for (const nb::handle part : given) out.emplace_back(MatrixArgument(part, {function, name}, Finite::kNeedNot).view());
  check_argument(!out.empty(), function, std::string(name) + " is empty; it must hold at least one array");
  return out;
}

}  // namespace fedstein::python
