// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/registry/model_parts.h"
#include "fedstein/registry/model_type.h"

namespace fedstein {
namespace {

constexpr double kMostHidden = 1e6;

// Of networks, with the widths of their hidden layers.
std::vector<Setting> hidden_settings(const HiddenLayers& standard) {
  return {{.key = "hidden",
           .standard = standard.widths.front(),
           .help = "number of hidden units; a list gives one number for each hidden layer, starting at the inputs, at "
                   "most 16 layers",
           .least = 1,
           .most = kMostHidden,
           .plurality = Plurality::kOneOrList},
          {.key = "activation",
           .standard = std::string("relu"),
           .help = "activation function of the hidden units: relu max(z, 0), tanh, or softplus log(1 + e^z)",
           .choices = {"relu", "tanh", "softplus"}}};
}

Activation activation_of(const Settings& given) {
  const std::string& name = given.text("activation");
  if (name == "tanh") return Activation::kTanh;
  return name == "softplus" ? Activation::kSoftplus : Activation::kRelu;
}

// Of files from before networks had a choice.
std::map<std::string, SettingValue> before_activations() {
  return {{"activation", std::string("relu")}};
}

Setting precision_setting(double standard) {
  return {.key = "prior_precision",
          .standard = standard,
          .help =
              "precision of the normal prior on all weights; 0: weights into a unit with m inputs are N(0, 0.5 / m), "
              "biases N(0, 1)",
          .least = 0};
}

std::string idle_prior_key(const Settings& given, const std::string& key) {
  const bool gamma = given.text("prior") == "gamma";
  if (!gamma && (key == "prior_shape" || key == "prior_scale")) return "it is for prior = \"gamma\" only";
  if (gamma && key == "prior_deviation") return "it is for prior = \"normal\" only";
  return {};
}

// Here the defaults are fedstein's own: a prior that suits standardised features, and an intercept. The paper's are in
// config/paper_defaults.cc for whoever asks for them, and in LogisticRegression::Options for C++.
ModelType logistic_regression() {
  const LogisticRegression::Options paper;
  return {
      .name = "logistic-regression",
      .summary =
          "Bayesian logistic regression with a normal prior on the weights, or the paper's Gamma on their "
          "precision",
      .labels = {LabelKind::kBinary},
      .settings = with(
          {{.key = "prior",
            .standard = std::string("normal"),
            .help = "normal: weights N(0, s^2) and intercept N(0, 10^2); gamma: the paper's prior, with the weights' "
                    "log precision as a further parameter",
            .choices = {"normal", "gamma"}},
           {.key = "prior_deviation",
            .standard = paper.prior_deviation,
            .help = "standard deviation s of the normal prior; 0: the root of 20 / features, which suits standardised "
                    "features",
            .least = 0},
           {.key = "prior_shape",
            .standard = paper.prior_shape,
            .help = "shape a of the gamma prior",
            .least = kAboveZero},
           {.key = "prior_scale",
            .standard = paper.prior_scale,
            .help = "scale b of the gamma prior; the paper's 0.01 is a scale, not a rate",
            .least = kAboveZero},
           {.key = "intercept", .standard = true, .help = "whether the model has an intercept"},
           {.key = "smoothing",
            .standard = paper.smoothing,
            .help =
                "standard deviation of a Gaussian around each particle over which predictions are averaged; 0: none",
            .least = 0}},
          classification_loss_settings()),
      .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
        using Prior = LogisticRegression::Prior;
        return std::make_unique<LogisticRegression>(
            shape.features,
            LogisticRegression::Options{.prior = given.text("prior") == "gamma" ? Prior::kGamma : Prior::kNormal,
                                        .prior_shape = given.number("prior_shape"),
                                        .prior_scale = given.number("prior_scale"),
                                        .prior_deviation = given.number("prior_deviation"),
                                        .intercept = given.flag("intercept"),
                                        .smoothing = given.number("smoothing"),
                                        .loss = classification_loss(given)});
      },
      .before = {{"prior", std::string("gamma")}, {"prior_deviation", 0.0}},
      .idle = idle_prior_key};
}

ModelType bnn_classification() {
  return {.name = "bnn-classification",
          .summary = "Bayesian neural network with one or more hidden layers for classes",
          .labels = {LabelKind::kMulticlass, LabelKind::kBinary},
          .settings = with(with(hidden_settings(BnnClassification::Options{}.hidden),
                                {precision_setting(BnnClassification::Options{}.prior_precision)}),
                           classification_loss_settings()),
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            return std::make_unique<BnnClassification>(BnnClassification::Options{
                .inputs = shape.features,
                .hidden = given.integers("hidden"),
                .activation = activation_of(given),
                .classes = shape.classes,
                .prior_precision = given.number("prior_precision"),
                .labels = shape.labels == LabelKind::kBinary ? Labels::kSigned : Labels::kIndex,
                .loss = classification_loss(given)});
          },
          .before = before_activations()};
}

ModelType bnn_regression() {
  const BnnRegression::Options standard;
  return {.name = "bnn-regression",
          .summary = "Bayesian neural network with one or more hidden layers for one real target",
          .labels = {LabelKind::kRegression},
          .settings =
              with(with(hidden_settings(standard.hidden),
                        {precision_setting(0)}),  // by layers: with the paper's, particles follow the noise of few rows
                   noise_settings(standard.noise_shape, standard.noise_rate)),
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            return std::make_unique<BnnRegression>(
                BnnRegression::Options{.inputs = shape.features,
                                       .hidden = given.integers("hidden"),
                                       .activation = activation_of(given),
                                       .prior_precision = given.number("prior_precision"),
                                       .noise_shape = given.number("noise_shape"),
                                       .noise_rate = given.number("noise_rate"),
                                       .loss = regression_loss(given)});
          },
          .before = before_activations()};
}

ModelType mixture_1d() {
  return {.name = "gaussian-mixture-1d",
          .summary = "the paper's one-dimensional toy problem with two factors",
          .labels = {LabelKind::kDensity},
          .settings = {{.key = "prior",
                        .standard = std::string("uniform"),
                        .help = "uniform on [-6, 6], or N(0, 1)",
                        .choices = {"uniform", "normal"}}},
          .factors = 2,
          .make = [](const Settings& given, const ModelShape&) -> std::unique_ptr<Model> {
            const bool uniform = given.text("prior") == "uniform";
            return std::make_unique<GaussianMixture>(toy_mixture_1d(uniform ? ToyPrior::kUniform : ToyPrior::kNormal));
          }};
}

ModelType mixture_2d() {
  return {.name = "gaussian-mixture-2d",
          .summary = "the paper's two-dimensional toy problem with two factors",
          .labels = {LabelKind::kDensity},
          .factors = 2,
          .make = [](const Settings&, const ModelShape&) -> std::unique_ptr<Model> {
            return std::make_unique<GaussianMixture>(toy_mixture_2d());
          }};
}

}  // namespace

std::vector<ModelType> standard_model_types() {
  std::vector<ModelType> all = {logistic_regression(), bnn_regression(), bnn_classification()};
  for (ModelType& type : linear_model_types()) all.push_back(std::move(type));
  all.push_back(mixture_1d());
  all.push_back(mixture_2d());
  return all;
}

}  // namespace fedstein
