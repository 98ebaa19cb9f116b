// SPDX-License-Identifier: Apache-2.0
// A model of the user's own from Python functions: its scores, and log densities where they are known.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "callables.h"
#include "errors.h"
#include "fedstein/numeric/check.h"
#include "models.h"
#include "settings.h"

namespace fedstein::python {
namespace {

struct OwnParts {
  std::string name = {};
  Index dimension = 0;
  ModelShape shape = {};
  double prior_deviation = 1;
  Kept score = {};
  Kept log_likelihood = {};
  Kept log_prior = {};
  Kept prior_score = {};  // absent: the normal prior
  Kept start = {};
};

// The numbers of a batch as arrays of the user's.
nb::object rows_array(const Batch& batch) {
  return nb::cast(copy_of(batch.x));
}

class OwnModel : public Model {
 public:
  explicit OwnModel(OwnParts parts) : parts_(std::move(parts)) {}

  Index dimension() const override { return parts_.dimension; }

  void draw_prior(Rng& rng, MatrixRef particles) const override {
    if (!parts_.start) {
      rng.fill_normal(particles, 0, parts_.prior_deviation);
      return;
    }
    const std::uint64_t seed = rng() >> 1U;  // as NumPy and JAX take seeds
    in_python([&] {
      particles.setZero();
      add_returned(parts_.start.get()(particles.rows(), seed), "start", 1, particles);
    });
  }

  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override {
    if (parts_.log_prior) {
      return in_python([&] { return densities_of(parts_.log_prior.get()(copy_of(theta)), "log_prior", theta.rows()); });
    }
    if (parts_.prior_score) miss("log_prior");
    const double variance = parts_.prior_deviation * parts_.prior_deviation;
    const double constant = -0.5 * static_cast<double>(parts_.dimension) * std::log(2 * std::numbers::pi * variance);
    return (theta.cast<double>().rowwise().squaredNorm() * (-0.5 / variance)).array() + constant;
  }

  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override {
    if (!parts_.prior_score) {
      const double variance = parts_.prior_deviation * parts_.prior_deviation;
      grad -= static_cast<Real>(weight / variance) * theta;
      return;
    }
    in_python([&] { add_returned(parts_.prior_score.get()(copy_of(theta)), "prior_score", weight, grad); });
  }

  void check_data(const Batch& batch) const override {
    const char* name = parts_.name.c_str();
    check_finite(name, "x", batch.x);
    if (parts_.shape.features > 0) check_columns(name, "x", batch.x, parts_.shape.features);
    for (Index i = 0; i < batch.y.size(); ++i) {
      check_argument(is_label(batch.y(i)), name, [&] {
        return "y is " + to_text(static_cast<double>(batch.y(i))) + " in row " + std::to_string(i) + "; allowed for '" +
               label_kind_name(parts_.shape.labels) + "': " + allowed_labels();
      });
    }
  }

  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override {
    if (!parts_.log_likelihood) miss("log_likelihood");
    return in_python([&] {
      const nb::object found = parts_.log_likelihood.get()(copy_of(theta), rows_array(batch), array_of_reals(batch.y));
      return densities_of(found, "log_likelihood", theta.rows());
    });
  }

  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override {
    if (batch.rows() == 0) return;
    in_python([&] {
      const nb::object found = parts_.score.get()(copy_of(theta), rows_array(batch), array_of_reals(batch.y));
      add_returned(found, "score", weight, grad);
    });
  }

 private:
  [[noreturn]] void miss(const char* function) const {
    in_python([&] {
      refuse(parts_.name.c_str(),
             std::string("this needs the function ") + function + ", which the model was made without");
    });
    throw std::logic_error("refuse() returned");
  }

  bool is_label(Real y) const {
    const auto value = static_cast<double>(y);
    switch (parts_.shape.labels) {
      case LabelKind::kBinary:
        return value == -1 || value == 1;
      case LabelKind::kMulticlass:
        return value >= 0 && value < static_cast<double>(parts_.shape.classes) && value == std::floor(value);
      case LabelKind::kCounts:
        return is_count(value);
      default:
        return std::isfinite(value);
    }
  }

  std::string allowed_labels() const {
    switch (parts_.shape.labels) {
      case LabelKind::kBinary:
        return "-1 and 1";
      case LabelKind::kMulticlass:
        return "whole numbers from 0 to " + std::to_string(parts_.shape.classes - 1);
      case LabelKind::kCounts:
        return "whole numbers from 0 on";
      default:
        return "finite numbers";
    }
  }

  OwnParts parts_;
};

constexpr const char* kWho = "Model.own";

HeldModel own_model(Index dimension,
                    nb::handle score,
                    Index features,
                    const std::string& labels,
                    Index classes,
                    nb::handle log_likelihood,
                    double prior_deviation,
                    nb::handle log_prior,
                    nb::handle prior_score,
                    nb::handle start,
                    const std::string& name) {
  constexpr Index kMost = Index{1} << 40;
  check_argument(dimension >= 1 && dimension <= kMost, kWho, [&] {
    return "dimension is " + std::to_string(dimension) + "; allowed: 1 to " + std::to_string(kMost);
  });
  check_argument(
      features >= 0, kWho, "features is " + std::to_string(features) + "; it must be at least 0 (0: any number)");
  check_positive(kWho, "prior_deviation", prior_deviation);
  const LabelKind kind = labels_of(labels, kWho);
  check_argument(kind != LabelKind::kMulticlass || classes >= 2, kWho, [&] {
    return "classes is " + std::to_string(classes) + "; a model of several classes needs at least 2";
  });
  OwnParts parts{.name = name,
                 .dimension = dimension,
                 .shape = {features, kind == LabelKind::kBinary ? 2 : classes, kind},
                 .prior_deviation = prior_deviation,
                 .score = callable_of(score, {kWho, "score"}),
                 .log_likelihood = callable_of(log_likelihood, {kWho, "log_likelihood"}, Absent::kAllowed),
                 .log_prior = callable_of(log_prior, {kWho, "log_prior"}, Absent::kAllowed),
                 .prior_score = callable_of(prior_score, {kWho, "prior_score"}, Absent::kAllowed),
                 .start = callable_of(start, {kWho, "start"}, Absent::kAllowed)};
  check_argument(!parts.log_prior || parts.prior_score,
                 kWho,
                 "log_prior is given without prior_score; give both, or neither for a normal prior");
  const ModelShape shape = parts.shape;
  return {.model = std::make_shared<OwnModel>(std::move(parts)),
          .type = name,
          .settings = Settings({}),
          .shape = shape,
          .is_own = true};
}

}  // namespace

void bind_own_model(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("OwnModel",
             own_model,
             "dimension"_a,
             nb::kw_only(),
             "score"_a,
             "features"_a = 0,
             "labels"_a = "regression",
             "classes"_a = 0,
             "log_likelihood"_a = nb::none(),
             "prior_deviation"_a = 1.0,
             "log_prior"_a = nb::none(),
             "prior_score"_a = nb::none(),
             "start"_a = nb::none(),
             "name"_a = "own",
             "A model of your own from functions: its scores, and its log densities where they are known.");
}

}  // namespace fedstein::python
