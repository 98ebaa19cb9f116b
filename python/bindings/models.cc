// SPDX-License-Identifier: Apache-2.0
#include "models.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "errors.h"
#include "fedstein/model/coefficients.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/numeric/check.h"
#include "gradient_report.h"
#include "settings.h"

namespace fedstein::python {
namespace {

// More than any table has; beyond it, the number of parameters could overflow.
constexpr Index kMostFeatures = Index{1} << 31;

MatrixArgument theta_of(const HeldModel& self, nb::handle given, const char* function) {
  MatrixArgument theta(given, {function, "theta"});
  check_not_empty(function, "theta", theta.view());
  check_columns(function, "theta", theta.view(), self.model->dimension());
  return theta;
}

RowsArgument rows_of(const HeldModel& self, nb::handle x, nb::handle y, const char* function) {
  RowsArgument rows(x, y, function);
  self.model->check_data(rows.batch());
  return rows;
}

RealMatrix start(const HeldModel& self, Index count, std::uint64_t seed) {
  check_argument(count >= 1, "Model.start", "n is " + std::to_string(count) + "; it must be at least 1");
  Matrix out(count, self.model->dimension());
  Rng rng({.seed = seed, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  without_lock([&] { self.model->draw_prior(rng, out); });
  return array_of(std::move(out));
}

RealMatrix fit_start(const HeldModel& self, nb::handle x, nb::handle y, nb::handle particles) {
  const RowsArgument rows = rows_of(self, x, y, "Model.fit_start");
  Matrix out = theta_of(self, particles, "Model.fit_start").view();
  without_lock([&] { self.model->fit_start(rows.batch(), out); });
  return array_of(std::move(out));
}

NumberVector log_prior(const HeldModel& self, nb::handle given) {
  const MatrixArgument theta = theta_of(self, given, "Model.log_prior");
  return array_of(without_lock([&] { return self.model->prior_log_density(theta.view()); }));
}

NumberVector log_likelihood(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y) {
  const MatrixArgument theta = theta_of(self, given, "Model.log_likelihood");
  const RowsArgument rows = rows_of(self, x, y, "Model.log_likelihood");
  return array_of(without_lock([&] { return self.model->log_likelihood(theta.view(), rows.batch()); }));
}

void check_temperature(const char* function, double temperature) {
  check_positive(function, "temperature", temperature);
}

NumberVector log_posterior_of(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y, double temperature) {
  check_temperature("Model.log_posterior", temperature);
  const MatrixArgument theta = theta_of(self, given, "Model.log_posterior");
  const RowsArgument rows = rows_of(self, x, y, "Model.log_posterior");
  return array_of(without_lock([&] { return log_posterior(*self.model, theta.view(), rows.batch(), temperature); }));
}

RealMatrix prior_score(const HeldModel& self, nb::handle given) {
  const MatrixArgument theta = theta_of(self, given, "Model.prior_score");
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] { self.model->add_prior_score(theta.view(), 1, grad); });
  return array_of(std::move(grad));
}

RealMatrix likelihood_score(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y) {
  const MatrixArgument theta = theta_of(self, given, "Model.likelihood_score");
  const RowsArgument rows = rows_of(self, x, y, "Model.likelihood_score");
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] { self.model->add_likelihood_score(theta.view(), rows.batch(), 1, grad); });
  return array_of(std::move(grad));
}

RealMatrix posterior_score(const HeldModel& self, nb::handle given, nb::handle x, nb::handle y, double temperature) {
  check_temperature("Model.posterior_score", temperature);
  const MatrixArgument theta = theta_of(self, given, "Model.posterior_score");
  const RowsArgument rows = rows_of(self, x, y, "Model.posterior_score");
  Matrix grad = Matrix::Zero(theta.rows(), theta.columns());
  without_lock([&] {
    self.model->add_prior_score(theta.view(), 1, grad);
    self.model->add_likelihood_score(theta.view(), rows.batch(), 1 / temperature, grad);
  });
  return array_of(std::move(grad));
}

const Predictive& predictive_of(const HeldModel& self, const char* function) {
  const Predictive* predictive = self.model->predictive();
  check_argument(predictive != nullptr, function, "the model '" + self.type + "' predicts nothing");
  return *predictive;
}

nb::dict predict(const HeldModel& self, nb::handle given, nb::handle x) {
  const Predictive& predictive = predictive_of(self, "Model.predict");
  const MatrixArgument theta = theta_of(self, given, "Model.predict");
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
  const MatrixArgument theta = theta_of(self, given, "Model.log_predictive");
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

nb::dict check_gradients(const HeldModel& self,
                         nb::handle points,
                         nb::handle x,
                         nb::handle y,
                         bool skip_kinks,
                         std::optional<double> tolerance) {
  const MatrixArgument theta = theta_of(self, points, "Model.check_gradient");
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

HeldModel make_held_model(const std::string& name, nb::dict given, const ModelShape& shape) {
  const ModelType& type = Registry::standard().model_type(name);
  HeldModel out{.model = {}, .type = name, .settings = settings_of(type.settings, given, name.c_str()), .shape = shape};
  const auto check_count = [&](const char* what, Index value, Index least) {
    check_argument(value >= least && value <= kMostFeatures, name.c_str(), [&] {
      return std::string(what) + " is " + std::to_string(value) + "; allowed: " + std::to_string(least) + " to " +
             std::to_string(kMostFeatures);
    });
  };
  if (!type.is_toy()) check_count("features", shape.features, 1);
  const bool classifies = shape.labels == LabelKind::kBinary || shape.labels == LabelKind::kMulticlass;
  if (!type.is_toy()) check_count("classes", shape.classes, classifies ? 2 : 0);
  if (type.is_toy()) out.shape = {.features = 1, .classes = 0, .labels = LabelKind::kDensity};
  const bool taken = std::find(type.labels.begin(), type.labels.end(), out.shape.labels) != type.labels.end();
  check_argument(taken, name.c_str(), [&] {
    std::string allowed;
    for (const LabelKind kind : type.labels)
      allowed += (allowed.empty() ? "" : ", ") + std::string(label_kind_name(kind));
    return std::string("labels is '") + label_kind_name(out.shape.labels) + "'; allowed: " + allowed;
  });
  out.model = type.make(out.settings, out.shape);
  return out;
}

void bind_model(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<HeldModel>(module, "Model", "A statistical model: prior and likelihood, their scores, predictions.")
      .def(
          "__init__",
          [](HeldModel* self,
             const std::string& type,
             nb::dict settings,
             Index features,
             Index classes,
             const std::string& labels) {
            const ModelType& known = Registry::standard().model_type(type);
            const LabelKind kind = labels.empty() ? known.labels.at(0) : labels_of(labels, type.c_str());
            new (self) HeldModel(make_held_model(type, settings, {features, classes, kind}));
          },
          "type"_a,
          "settings"_a = nb::dict(),
          "features"_a = 1,
          "classes"_a = 2,
          "labels"_a = "")
      .def_ro("type", &HeldModel::type)
      .def_prop_ro("settings", [](const HeldModel& self) { return dict_of(self.settings); })
      .def_prop_ro("features", [](const HeldModel& self) { return self.shape.features; })
      .def_prop_ro("classes", [](const HeldModel& self) { return self.shape.classes; })
      .def_prop_ro("labels", [](const HeldModel& self) { return std::string(label_kind_name(self.shape.labels)); })
      .def_prop_ro("dimension", [](const HeldModel& self) { return self.model->dimension(); })
      .def_prop_ro("starts_at_zero", [](const HeldModel& self) { return self.model->starts_at_zero(); })
      .def_prop_ro("predicts", [](const HeldModel& self) { return self.model->predictive() != nullptr; })
      .def_ro("is_own", &HeldModel::is_own)
      .def_prop_ro("support", support)
      .def("start", start, "n"_a, "seed"_a = 1)
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
      .def("predict", predict, "theta"_a, "x"_a)
      .def("log_predictive", log_predictive, "theta"_a, "x"_a, "y"_a)
      .def("coefficients", coefficients)
      .def("covariance", covariance, "middle"_a, "x"_a, "y"_a, "temperature"_a = 1.0)
      .def("check_gradient",
           check_gradients,
           "points"_a,
           "x"_a,
           "y"_a,
           "skip_kinks"_a = true,
           "tolerance"_a = nb::none());
}

}  // namespace fedstein::python
