// SPDX-License-Identifier: Apache-2.0
// The models beside logistic regression that are linear in their weights.
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "fedstein/registry/model_parts.h"

namespace fedstein {
namespace {

std::string idle_freedom(const Settings& given, const std::string& key) {
  return key == "freedom" && given.text("loss") != "student" ? "it is for loss = \"student\" only" : "";
}

std::vector<Setting> linear_settings() {
  const LinearWeights standard;
  return {{.key = "prior_deviation",
           .standard = standard.prior_deviation,
           .help = "standard deviation of the normal prior on each weight; the default suits standardised features",
           .least = kAboveZero},
          {.key = "intercept", .standard = standard.intercept, .help = "whether the model has an intercept"},
          {.key = "intercept_deviation",
           .standard = standard.intercept_deviation,
           .help = "standard deviation of the normal prior on the intercept",
           .least = kAboveZero}};
}

LinearWeights linear_weights(const Settings& given, const ModelShape& shape) {
  return {.inputs = shape.features,
          .prior_deviation = given.number("prior_deviation"),
          .intercept = given.flag("intercept"),
          .intercept_deviation = given.number("intercept_deviation")};
}

std::string idle_intercept(const Settings& given, const std::string& key) {
  return key == "intercept_deviation" && !given.flag("intercept") ? "there is no intercept" : "";
}

ModelType linear_regression() {
  const LinearRegression::Options standard;
  return {
      .name = "linear-regression",
      .summary = "Bayesian linear regression with unknown noise",
      .labels = {LabelKind::kRegression},
      .settings = with(linear_settings(), noise_settings(standard.noise_shape, standard.noise_rate)),
      .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
        return std::make_unique<LinearRegression>(LinearRegression::Options{.weights = linear_weights(given, shape),
                                                                            .noise_shape = given.number("noise_shape"),
                                                                            .noise_rate = given.number("noise_rate"),
                                                                            .loss = regression_loss(given)});
      },
      .idle =
          [](const Settings& given, const std::string& key) {
            const std::string why = idle_intercept(given, key);
            return why.empty() ? idle_freedom(given, key) : why;
          }};
}

ModelType softmax_regression() {
  return {.name = "softmax-regression",
          .summary = "Bayesian softmax regression for classes: linear, with its own weights for each class",
          .labels = {LabelKind::kMulticlass, LabelKind::kBinary},
          .settings = with({{.key = "prior_deviation",
                             .standard = 0.0,
                             .help = "standard deviation of the normal prior on each weight; 0: the root of 10 / "
                                     "features, which suits standardised features; an intercept has 10",
                             .least = 0},
                            {.key = "intercept", .standard = true, .help = "whether the model has an intercept"}},
                           classification_loss_settings()),
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            return std::make_unique<SoftmaxRegression>(SoftmaxRegression::Options{
                .inputs = shape.features,
                .classes = shape.classes,
                .prior_deviation = given.number("prior_deviation"),
                .intercept = given.flag("intercept"),
                .labels = shape.labels == LabelKind::kBinary ? Labels::kSigned : Labels::kIndex,
                .loss = classification_loss(given)});
          }};
}

ModelType poisson_regression() {
  return {.name = "poisson-regression",
          .summary = "Bayesian Poisson regression for counts whose variance equals their mean",
          .labels = {LabelKind::kCounts},
          .settings = linear_settings(),
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            return std::make_unique<PoissonRegression>(linear_weights(given, shape));
          },
          .idle = idle_intercept};
}

ModelType negative_binomial_regression() {
  const NegativeBinomialRegression::Options standard;
  return {
      .name = "negative-binomial-regression",
      .summary = "Bayesian negative binomial regression for counts, with an unknown dispersion",
      .labels = {LabelKind::kCounts},
      .settings = with(
          linear_settings(),
          {{.key = "dispersion_shape",
            .standard = standard.dispersion_shape,
            .help = "shape of the Gamma prior on the dispersion alpha; a count with mean m has variance m + alpha m^2",
            .least = kAboveZero},
           {.key = "dispersion_rate",
            .standard = standard.dispersion_rate,
            .help = "rate of the Gamma prior on the dispersion; larger values prefer less dispersion",
            .least = kAboveZero}}),
      .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
        return std::make_unique<NegativeBinomialRegression>(
            NegativeBinomialRegression::Options{.weights = linear_weights(given, shape),
                                                .dispersion_shape = given.number("dispersion_shape"),
                                                .dispersion_rate = given.number("dispersion_rate")});
      },
      .idle = idle_intercept};
}

}  // namespace

std::vector<ModelType> linear_model_types() {
  return {linear_regression(), softmax_regression(), poisson_regression(), negative_binomial_regression()};
}

}  // namespace fedstein
