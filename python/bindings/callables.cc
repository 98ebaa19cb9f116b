// SPDX-License-Identifier: Apache-2.0
#include "callables.h"

#include <utility>

#include "errors.h"
#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {

Kept::~Kept() {
  if (!object_.is_valid()) return;
  const Visit visit;
  if (!visit.is_welcome()) {  // it goes with the process
    object_.release();
    return;
  }
  const nb::gil_scoped_acquire lock;
  object_ = nb::object();
}

Kept callable_of(nb::handle given, const Argument& argument, Absent absent) {
  if (given.is_none() && absent == Absent::kAllowed) return {};
  check_argument(PyCallable_Check(given.ptr()) != 0, argument.function, [&] {
    return std::string(argument.name) + " is a " + class_name(given) + "; it must be a function";
  });
  return Kept(nb::borrow(given));
}

void add_returned(nb::handle returned, const char* what, double weight, MatrixRef grad) {
  const MatrixArgument result(returned, {what, "the result"}, Finite::kNeedNot);
  check_argument(result.rows() == grad.rows() && result.columns() == grad.cols(), what, [&] {
    return "the result has the shape " + shape_of(result.view()) + "; it must have that of the particles, " +
           shape_of(grad);
  });
  const Position at = first_non_finite(result.view());
  if (at.row >= 0) {
    throw Divergence(std::string(what) + ": the result is not finite for particle " + std::to_string(at.row) +
                     " in coordinate " + std::to_string(at.column));
  }
  grad += static_cast<Real>(weight) * result.view();
}

DoubleVector densities_of(nb::handle returned, const char* what, Index particles) {
  DoubleVector out = any_numbers_of(returned, {what, "the result"});
  check_argument(out.size() == particles, what, [&] {
    return "the result has " + counted(out.size(), "number") + "; it must have one for each of the " +
           counted(particles, "particle");
  });
  return out;
}

void CallableScore::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  in_python([&] { add_returned(function_.get()(copy_of(theta)), what_, weight, grad); });
}

}  // namespace fedstein::python
