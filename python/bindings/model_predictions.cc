// SPDX-License-Identifier: Apache-2.0
// What a model says about rows, and what its parameters mean.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "fedstein/model/coefficients.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/numeric/check.h"
#include "model_arguments.h"

namespace fedstein::python {
namespace {

const Predictive& predictive_of(const HeldModel& self, const char* function) {
  const Predictive* predictive = self.model->predictive();
  check_argument(predictive != nullptr, function, "the model '" + self.type + "' predicts nothing");
  return *predictive;
}

nb::dict predict(const HeldModel& self, nb::handle given, nb::handle x) {
  const Predictive& predictive = predictive_of(self, "Model.predict");
  const MatrixArgument theta = theta_of(self, given, {"Model.predict", "theta"});
  const MatrixArgument rows(x, {"Model.predict", "x"});
  check_columns("Model.predict", "x", rows.view(), self.shape.features);
  Prediction found = without_lock([&] { return predictive.predict(theta.view(), rows.view()); });
  nb::dict out;
  if (found.mean.size() == 0 && (found.probabilities.size() > 0 || self.shape.classes > 0)) {
    out["probabilities"] = array_of(std::move(found.probabilities));
    out["mean_entropy"] = array_of(std::move(found.mean_entropy));
  } else {
    out["mean"] = array_of(std::move(found.mean));
    out["aleatoric_variance"] = array_of(std::move(found.aleatoric_variance));
    out["epistemic_variance"] = array_of(std::move(found.epistemic_variance));
  }
  return out;
}

NumberVector log_predictive(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y) {
  const Predictive& predictive = predictive_of(self, "Model.log_predictive");
  const MatrixArgument theta = theta_of(self, given, {"Model.log_predictive", "theta"});
  const RowsArgument rows = rows_of(self, x, y, "Model.log_predictive");
  return array_of(without_lock([&] { return predictive.log_predictive(theta.view(), rows.batch()); }));
}

nb::object covariance(const HeldModel& self, nb::handle middle, nb::handle x, nb::handle y, double temperature) {
  check_temperature("Model.covariance", temperature);
  const RowVector at = vector_of(middle, {"Model.covariance", "middle"}).transpose();
  check_columns("Model.covariance", "middle", at, self.model->dimension());
  const RowsArgument rows = rows_of(self, x, y, "Model.covariance");
  std::optional<DoubleMatrix> found =
      without_lock([&] { return posterior_covariance(*self.model, at, rows.batch(), temperature); });
  return found ? nb::cast(array_of(std::move(*found))) : nb::none();
}

const char* link_name(Coefficients::Link link) {
  constexpr const char* kNames[] = {"identity", "log-odds", "log", "softmax"};
  return kNames[static_cast<std::size_t>(link)];
}

nb::object coefficients(const HeldModel& self) {
  const Coefficients* known = self.model->coefficients();
  if (known == nullptr) return nb::none();
  nb::list weights;
  nb::list intercepts;
  for (Index o = 0; o < known->predictors(); ++o) {
    nb::list of_one;
    for (Index k = 0; k < self.shape.features; ++k) of_one.append(known->weight(o, k));
    weights.append(of_one);
    const std::optional<Index> intercept = known->intercept(o);
    intercepts.append(intercept ? nb::object(nb::int_(*intercept)) : nb::none());
  }
  nb::list others;
  for (const Coefficients::Other& other : known->others()) {
    nb::dict one;
    one["name"] = other.name;
    one["parameter"] = other.parameter;
    one["factor"] = other.factor;
    one["has_target_unit"] = other.has_target_unit;
    others.append(one);
  }
  nb::dict out;
  out["link"] = link_name(known->link());
  out["weights"] = weights;
  out["intercepts"] = intercepts;
  out["others"] = others;
  return out;
}

nb::object support(const HeldModel& self) {
  const Support* bounds = self.model->support();
  if (bounds == nullptr) return nb::none();
  return nb::make_tuple(array_of(DoubleVector(bounds->low)), array_of(DoubleVector(bounds->high)));
}

}  // namespace

void bind_model_predictions(nb::class_<HeldModel>& bound) {
  using nb::literals::operator""_a;
  bound.def_prop_ro("support", support)
      .def("predict", predict, "theta"_a, "x"_a)
      .def("log_predictive", log_predictive, "theta"_a, "x"_a, "y"_a)
      .def("coefficients", coefficients)
      .def("covariance", covariance, "middle"_a, "x"_a, "y"_a, "temperature"_a = 1.0);
}

}  // namespace fedstein::python
