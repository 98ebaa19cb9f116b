// SPDX-License-Identifier: Apache-2.0
#include "target.h"

#include <nanobind/stl/string.h>

#include <cmath>

#include "callables.h"
#include "errors.h"
#include "fedstein/base/counted.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"
#include "particles.h"

namespace fedstein::python {

Target::Target(HeldModel model, Matrix x, Vector y, Index batch, std::uint64_t seed, double temperature)
    : model_(std::move(model)), x_(std::move(x)), y_(std::move(y)), temperature_(temperature), prior_(*model_.model) {
  check_positive("Model.posterior", "temperature", temperature);
  check_argument(batch >= 0, "Model.posterior", [&] {
    return "batch is " + std::to_string(batch) + "; it must be at least 0 (0: all rows)";
  });
  check_argument(x_.rows() == y_.size(), "Model.posterior", [&] {
    return "x has " + counted(x_.rows(), "row") + " and y " + counted(y_.size(), "value") +
           "; there must be one for each row";
  });
  const Batch rows(x_, y_);
  model_.model->check_data(rows);
  if (batch == 0 || batch >= x_.rows()) {
    likelihood_ = std::make_unique<FullLikelihood>(*model_.model, rows);
  } else {
    likelihood_ = std::make_unique<MinibatchLikelihood>(
        *model_.model, rows, batch, StreamId{.seed = seed, .purpose = Purpose::kMinibatch});
  }
}

HeldTerms terms_of(nb::handle target, const Argument& argument) {
  HeldTerms out;
  out.owner = nb::borrow(target);
  Target* known = nullptr;
  if (nb::try_cast(target, known, /*convert=*/false) && known != nullptr) {
    out.terms = known->terms();
    out.model = &known->model();
    return out;
  }
  out.own = std::make_unique<CallableScore>(callable_of(target, argument), "score");
  out.terms = {Term(1, *out.own)};
  return out;
}

std::unique_ptr<Kernel> kernel_of(const std::string& kernel, nb::handle given, const char* function) {
  Bandwidth bandwidth = Bandwidth::paper();
  if (nb::isinstance<nb::str>(given)) {
    bandwidth = Bandwidth::named(text_of(given, {function, "bandwidth"}));
  } else {
    double h = 0;
    check_argument(nb::try_cast(given, h) && std::isfinite(h) && h > 0, function, [&] {
      return "bandwidth is " + shown(nb::borrow(given)) +
             "; allowed: \"paper\", \"original\" or a finite number above 0";
    });
    bandwidth = Bandwidth::fixed(h);
  }
  if (kernel == "rbf") return std::make_unique<RbfKernel>(bandwidth);
  if (kernel == "imq") return std::make_unique<ImqKernel>(bandwidth);
  if (kernel == "independent") return std::make_unique<IndependentKernel>();
  refuse(function, "kernel is '" + kernel + "'" + instead_of(kernel, {"rbf", "imq", "independent"}));
}

namespace {

RealMatrix evaluate(nb::handle self, nb::handle theta) {
  const HeldTerms held = terms_of(self, {"Model.posterior", "target"});
  const MatrixArgument at(theta, {"Model.posterior", "theta"});
  check_not_empty("Model.posterior", "theta", at.view());
  check_columns("Model.posterior", "theta", at.view(), held.model->model->dimension());
  Matrix grad(at.rows(), at.columns());
  without_lock([&] { evaluate_terms(held.terms, at.view(), 0, grad); });
  return array_of(std::move(grad));
}

}  // namespace

void bind_target(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Target>(module, "Target", "The posterior of a model given rows: what svgd() moves particles towards.")
      .def(
          "__init__",
          [](Target* self,
             const HeldModel& model,
             nb::handle x,
             nb::handle y,
             Index batch,
             std::uint64_t seed,
             double temperature) {
            new (self) Target(model,
                              MatrixArgument(x, {"Model.posterior", "x"}).view(),
                              vector_of(y, {"Model.posterior", "y"}),
                              batch,
                              seed,
                              temperature);
          },
          "model"_a,
          "x"_a,
          "y"_a,
          "batch"_a = 0,
          "seed"_a = 1,
          "temperature"_a = 1.0)
      .def_prop_ro("model", [](const Target& self) { return self.model(); })
      .def("__call__", evaluate, "theta"_a);
}

}  // namespace fedstein::python
