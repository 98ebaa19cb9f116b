// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.h"
#include "errors.h"
#include "fedstein/data/scaling.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/calibrate.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/posterior/posterior_header.h"
#include "fedstein/posterior/predictor.h"
#include "fedstein/posterior/unusual.h"
#include "models.h"
#include "posterior.h"
#include "posterior_words.h"
#include "settings.h"

namespace fedstein::python {
namespace {

using Shared = std::shared_ptr<const Predictor>;

// A posterior as Python has it: immutable, checked, ready to predict.
struct HeldPosterior {
  Shared predictor;

  const Posterior& posterior() const { return predictor->posterior(); }
};

HeldPosterior hold(Posterior posterior) {
  return {without_lock([&] { return std::make_shared<const Predictor>(std::move(posterior)); })};
}

HeldPosterior from_parts(const std::string& header, nb::handle particles, nb::handle covariance) {
  constexpr const char* kWho = "Posterior";
  PosteriorHeader parts = header_from(header, Registry::standard());
  parts.posterior.particles = MatrixArgument(particles, {kWho, "particles"}).view();
  if (!covariance.is_none()) parts.posterior.covariance = number_matrix_of(covariance, {kWho, "covariance"});
  return hold(std::move(parts.posterior));
}

// Rows as they were measured, as many columns as the posterior has features.
MatrixArgument raw_rows(const HeldPosterior& self, nb::handle given, const char* function) {
  MatrixArgument x(given, {function, "x"});
  check_columns(function, "x", x.view(), self.predictor->features());
  return x;
}

Dataset dataset_of(const HeldPosterior& self, nb::handle x, nb::handle y, const char* function) {
  const RowsArgument rows(x, y, function);
  check_columns(function, "x", rows.batch().x, self.predictor->features());
  const ModelShape& shape = self.posterior().shape;
  Dataset out{.name = function,
              .labels = shape.labels,
              .x = rows.batch().x,
              .y = rows.batch().y,
              .classes = self.predictor->classifies() ? shape.classes : 0,
              .group = {}};
  check_argument(out.x.rows() > 0, function, "x has no rows");
  validate(out);
  return out;
}

nb::dict predict(const HeldPosterior& self, nb::handle given) {
  const MatrixArgument x = raw_rows(self, given, "Posterior.predict");
  RowPredictions found = without_lock([&] { return self.predictor->predict(x.view()); });
  nb::dict out;
  if (self.predictor->classifies())
    out["probabilities"] = array_of(std::move(found.probabilities));
  else
    out["mean"] = array_of(std::move(found.mean));
  out["total"] = array_of(std::move(found.total));
  out["aleatoric"] = array_of(std::move(found.aleatoric));
  out["epistemic"] = array_of(std::move(found.epistemic));
  return out;
}

NumberVector log_predictive(const HeldPosterior& self, nb::handle x, nb::handle y, std::optional<double> temperature) {
  const Dataset rows = dataset_of(self, x, y, "Posterior.log_predictive");
  if (temperature) check_positive("Posterior.log_predictive", "temperature", *temperature);
  const double at = temperature.value_or(self.posterior().temperature);
  return array_of(without_lock([&] { return self.predictor->log_predictive(rows.x, rows.y, at); }));
}

NumberMatrix quantiles(const HeldPosterior& self, nb::handle given, const std::vector<double>& probabilities) {
  constexpr const char* kWho = "Posterior.quantiles";
  check_argument(self.predictor->can_tell_quantiles(), kWho, "this posterior's predictions have no quantiles");
  for (const double p : probabilities) {
    check_argument(p > 0 && p < 1, kWho, [&] {
      return "probabilities holds " + to_text(p) + "; each must be above 0 and below 1";
    });
  }
  const MatrixArgument x = raw_rows(self, given, kWho);
  return array_of(without_lock([&] { return self.predictor->quantiles(x.view(), probabilities); }));
}

nb::object unusual(const HeldPosterior& self, nb::handle given) {
  const MatrixArgument x = raw_rows(self, given, "Posterior.unusual");
  const UnusualFeatures features(self.posterior());
  if (!features.can_tell()) return nb::none();
  nb::list out;
  for (Index i = 0; i < x.rows(); ++i) out.append(nb::cast(features.of(x.view().row(i))));
  return out;
}

// Rows to ask a model about in place of these, as `fedstein predict` does.
RealMatrix brought_near(const HeldPosterior& self, nb::handle given) {
  const MatrixArgument x = raw_rows(self, given, "Posterior.brought_near");
  return array_of(without_lock([&] { return UnusualFeatures(self.posterior()).brought_near(x.view()); }));
}

nb::object summary(const HeldPosterior& self, double level) {
  check_argument(level > 0 && level < 1, "Posterior.summary", [&] {
    return "level is " + to_text(level) + "; it must be above 0 and below 1";
  });
  const auto found = without_lock([&] { return summarise(self.posterior(), Registry::standard(), level); });
  return found ? nb::object(dict_of(*found)) : nb::none();
}

nb::dict calibration(const HeldPosterior& self, nb::handle x, nb::handle y) {
  const Dataset rows = dataset_of(self, x, y, "Posterior.calibrate");
  const Calibration found = without_lock([&] { return calibrate(*self.predictor, rows); });
  nb::dict out;
  out["temperature"] = found.temperature;
  out["log_likelihood_before"] = found.log_likelihood_before;
  out["log_likelihood_after"] = found.log_likelihood_after;
  return out;
}

HeldPosterior with_temperature(const HeldPosterior& self, double temperature) {
  check_positive("Posterior.with_temperature", "temperature", temperature);
  Posterior next = self.posterior();
  next.temperature = temperature;
  return hold(std::move(next));
}

nb::dict judge_rows(const HeldPosterior& self,
                    nb::handle x,
                    nb::handle y,
                    Index bins,
                    const std::string& by,
                    std::optional<std::vector<double>> abstained) {
  constexpr const char* kWho = "Posterior.evaluate";
  const Dataset rows = dataset_of(self, x, y, kWho);
  constexpr Index kMostBins = 100000;
  check_argument(bins >= 1 && bins <= kMostBins, kWho, [&] {
    return "bins is " + std::to_string(bins) + "; allowed: 1 to " + std::to_string(kMostBins);
  });
  JudgementOptions options{.bins = bins, .by = doubt_named(by)};
  if (abstained) options.abstained = *abstained;
  for (const double share : options.abstained) {
    check_argument(share >= 0 && share < 1, kWho, [&] {
      return "abstained holds " + to_text(share) + "; each must be from 0 to below 1";
    });
  }
  return dict_of(without_lock([&] { return judge(*self.predictor, rows, options); }));
}

nb::object covariance(const HeldPosterior& self) {
  const DoubleMatrix& known = self.posterior().covariance;
  return known.size() == 0 ? nb::none() : nb::cast(array_of(DoubleMatrix(known)));
}

HeldModel model_of(const HeldPosterior& self) {
  const Posterior& posterior = self.posterior();
  return {
      .model = make_model(posterior), .type = posterior.type, .settings = posterior.settings, .shape = posterior.shape};
}

void save(const HeldPosterior& self, const std::string& path, bool force) {
  WriteOptions options = posterior_output();
  if (force) options.replacing = Replacing::kAnything;
  without_lock([&] { save_posterior(self.posterior(), path, options); });
}

nb::bytes bytes_of(const HeldPosterior& self) {
  const std::string bytes = without_lock([&] { return to_bytes(self.posterior()); });
  return nb::bytes(bytes.data(), bytes.size());
}

HeldPosterior from_bytes(nb::bytes bytes, const std::string& name) {
  const std::string held(bytes.c_str(), bytes.size());
  return hold(posterior_from(held, name));
}

nb::dict fitted_scaling(const std::string& rule, const std::string& labels, nb::handle x, nb::handle y) {
  const RowsArgument rows(x, y, "scaling");
  Dataset dataset{.name = "scaling",
                  .labels = labels_of(labels, "scaling"),
                  .x = rows.batch().x,
                  .y = rows.batch().y,
                  .classes = 0,
                  .group = {}};
  check_argument(dataset.x.rows() > 0, "scaling", "x has no rows");
  return dict_of(fit_scaling(scaling_rule(rule), dataset, all_rows(dataset.x.rows())));
}

}  // namespace

void bind_posterior(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<HeldPosterior>(module, "Posterior", "What a federation has learned: enough to predict from raw rows.")
      .def(
          "__init__",
          [](HeldPosterior* self, const std::string& header, nb::handle particles, nb::handle covariance_of) {
            new (self) HeldPosterior(from_parts(header, particles, covariance_of));
          },
          "header"_a,
          "particles"_a,
          "covariance"_a = nb::none())
      .def("header", [](const HeldPosterior& self) { return header_text(self.posterior()); })
      .def_prop_ro("particles", [](const HeldPosterior& self) { return nb::cast(copy_of(self.posterior().particles)); })
      .def_prop_ro("covariance", covariance)
      .def_prop_ro("model", model_of)
      .def_prop_ro("feature_names", [](const HeldPosterior& self) { return feature_names(self.posterior()); })
      .def_prop_ro("features", [](const HeldPosterior& self) { return self.posterior().shape.features; })
      .def_prop_ro("classes", [](const HeldPosterior& self) { return self.posterior().shape.classes; })
      .def_prop_ro("classifies", [](const HeldPosterior& self) { return self.predictor->classifies(); })
      .def_prop_ro("can_tell_quantiles", [](const HeldPosterior& self) { return self.predictor->can_tell_quantiles(); })
      .def_prop_ro("can_be_tempered", [](const HeldPosterior& self) { return self.predictor->can_be_tempered(); })
      .def_prop_ro("temperature", [](const HeldPosterior& self) { return self.posterior().temperature; })
      .def("save", save, "path"_a, "force"_a = false)
      .def("to_bytes", bytes_of)
      .def("predict", predict, "x"_a)
      .def("log_predictive", log_predictive, "x"_a, "y"_a, "temperature"_a = nb::none())
      .def("quantiles", quantiles, "x"_a, "probabilities"_a)
      .def("unusual", unusual, "x"_a)
      .def("brought_near", brought_near, "x"_a)
      .def("summary", summary, "level"_a = 0.9)
      .def("calibrate", calibration, "x"_a, "y"_a)
      .def("with_temperature", with_temperature, "temperature"_a)
      .def("judge", judge_rows, "x"_a, "y"_a, "bins"_a = kDefaultBins, "by"_a = "total", "abstained"_a = nb::none());
  module.def(
      "load_posterior",
      [](const std::string& path) { return hold(without_lock([&] { return load_posterior(path); })); },
      "path"_a);
  module.def("posterior_from_bytes", from_bytes, "bytes"_a, "name"_a = "bytes");
  module.def("scaling", fitted_scaling, "rule"_a, "labels"_a, "x"_a, "y"_a);
}

}  // namespace fedstein::python
