// SPDX-License-Identifier: Apache-2.0
// A model's prior and likelihood: log densities, their scores, where particles start.
#include <nanobind/stl/optional.h>

#include "errors.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/check.h"
#include "gradient_report.h"
#include "model_arguments.h"

namespace fedstein::python {

MatrixArgument theta_of(const HeldModel& self, nb::handle given, const Argument& argument) {
  MatrixArgument theta(given, argument);
  check_not_empty(argument.function, argument.name, theta.view());
  check_columns(argument.function, argument.name, theta.view(), self.model->dimension());
  return theta;
}

RowsArgument rows_of(const HeldModel& self, nb::handle x, nb::handle y, const char* function) {
  RowsArgument rows(x, y, function);
  self.model->check_data(rows.batch());
  return rows;
}

void check_temperature(const char* function, double temperature) {
  check_positive(function, "temperature", temperature);
}

namespace {

RealMatrix start(const HeldModel& self, Index count, std::uint64_t seed) {
  check_argument(count >= 1, "Model.start", "n is " + std::to_string(count) + "; it must be at least 1");
  Matrix out(count, self.model->dimension());
  Rng rng({.seed = seed, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  without_lock([&] { self.model->draw_prior(rng, out); });
  return array_of(std::move(out));
}

RealMatrix fit_start(const HeldModel& self, nb::handle x, nb::handle y, nb::handle particles) {
  const RowsArgument rows = rows_of(self, x, y, "Model.fit_start");
  Matrix out = theta_of(self, particles, {"Model.fit_start", "particles"}).view();
  without_lock([&] { self.model->fit_start(rows.batch(), out); });
  return array_of(std::move(out));
}

NumberVector log_prior(const HeldModel& self, nb::handle given) {
  const MatrixArgument theta = theta_of(self, given, {"Model.log_prior", "theta"});
  return array_of(without_lock([&] { return self.model->prior_log_density(theta.view()); }));
}

NumberVector log_likelihood(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y) {
  const MatrixArgument theta = theta_of(self, given, {"Model.log_likelihood", "theta"});
  const RowsArgument rows = rows_of(self, x, y, "Model.log_likelihood");
  return array_of(without_lock([&] { return self.model->log_likelihood(theta.view(), rows.batch()); }));
}

NumberVector log_posterior_of(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y, double temperature) {
  check_temperature("Model.log_posterior", temperature);
  const MatrixArgument theta = theta_of(self, given, {"Model.log_posterior", "theta"});
  const RowsArgument rows = rows_of(self, x, y, "Model.log_posterior");
  return array_of(without_lock([&] { return log_posterior(*self.model, theta.view(), rows.batch(), temperature); }));
}

RealMatrix prior_score(const HeldModel& self, nb::handle given) {
  const MatrixArgument theta = theta_of(self, given, {"Model.prior_score", "theta"});
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] { self.model->add_prior_score(theta.view(), 1, grad); });
  return array_of(std::move(grad));
}

RealMatrix likelihood_score(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y) {
  const MatrixArgument theta = theta_of(self, given, {"Model.likelihood_score", "theta"});
  const RowsArgument rows = rows_of(self, x, y, "Model.likelihood_score");
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] { self.model->add_likelihood_score(theta.view(), rows.batch(), 1, grad); });
  return array_of(std::move(grad));
}

RealMatrix posterior_score(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y, double temperature) {
  check_temperature("Model.posterior_score", temperature);
  const MatrixArgument theta = theta_of(self, given, {"Model.posterior_score", "theta"});
  const RowsArgument rows = rows_of(self, x, y, "Model.posterior_score");
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] {
    self.model->add_prior_score(theta.view(), 1, grad);
    self.model->add_likelihood_score(theta.view(), rows.batch(), 1 / temperature, grad);
  });
  return array_of(std::move(grad));
}

nb::dict check_gradients(const HeldModel& self,
                         nb::handle points,
                         nb::handle x,
                         nb::handle y,
                         bool skip_kinks,
                         std::optional<double> tolerance) {
  const MatrixArgument theta = theta_of(self, points, {"Model.check_gradient", "points"});
  const RowsArgument rows = rows_of(self, x, y, "Model.check_gradient");
  const GradientCheckOptions options = gradient_options("Model.check_gradient", tolerance, 400, skip_kinks);
  const PriorScore prior(*self.model);
  const FullLikelihood likelihood(*self.model, rows.batch());
  GradientReport first;
  GradientReport second;
  without_lock([&] {
    first = check_gradient(
        [&](const ConstMatrixRef& at) { return self.model->prior_log_density(at); }, prior, theta.view(), options);
    second = check_gradient([&](const ConstMatrixRef& at) { return self.model->log_likelihood(at, rows.batch()); },
                            likelihood,
                            theta.view(),
                            options);
  });
  nb::dict out;
  out["prior"] = dict_of(first);
  out["likelihood"] = dict_of(second);
  return out;
}

}  // namespace

void bind_model_densities(nb::class_<HeldModel>& bound) {
  using nb::literals::operator""_a;
  bound.def("start", start, "n"_a, "seed"_a = 1)
      .def("fit_start", fit_start, "x"_a, "y"_a, "particles"_a)
      .def(
          "check_data",
          [](const HeldModel& self, nb::handle x, nb::handle y) { rows_of(self, x, y, "Model.check_data"); },
          "x"_a,
          "y"_a)
      .def("log_prior", log_prior, "theta"_a)
      .def("log_likelihood", log_likelihood, "theta"_a, "x"_a, "y"_a)
      .def("log_posterior", log_posterior_of, "theta"_a, "x"_a, "y"_a, "temperature"_a = 1.0)
      .def("prior_score", prior_score, "theta"_a)
      .def("likelihood_score", likelihood_score, "theta"_a, "x"_a, "y"_a)
      .def("posterior_score", posterior_score, "theta"_a, "x"_a, "y"_a, "temperature"_a = 1.0)
      .def("check_gradient",
           check_gradients,
           "points"_a,
           "x"_a,
           "y"_a,
           "skip_kinks"_a = true,
           "tolerance"_a = nb::none());
}

}  // namespace fedstein::python
