// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "command_line.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/base/text.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/check.h"
#include "fedstein/registry/registry.h"
#include "fedstein/stein/gradient_check.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct GradientArguments {
  std::string model = {};
  std::vector<std::string> settings = {};
  Index rows = 10;
  Index features = 5;
  Index classes = 3;
  std::uint64_t seed = 1;
};

// Rows that exercise a model: normal inputs, labels of its kind.
struct Sample {
  Matrix x;
  Vector y;
};

Sample sample_for(const GradientArguments& arguments, const ModelType& type) {
  Rng rng({.seed = arguments.seed, .agent = 0, .round = 0, .purpose = Purpose::kGenerator});
  if (type.is_toy()) return {factor_rows(type.factors), Vector::Zero(type.factors)};
  Sample sample{Matrix(arguments.rows, arguments.features), Vector(arguments.rows)};
  rng.fill_normal(sample.x);
  for (Index i = 0; i < arguments.rows; ++i) {
    switch (type.labels.at(0)) {
      case LabelKind::kRegression:
        sample.y(i) = sample.x.row(i).sum();
        break;
      case LabelKind::kMulticlass:
        sample.y(i) = static_cast<Real>(i % arguments.classes);
        break;
      case LabelKind::kCounts:
        sample.y(i) = static_cast<Real>(i * i % 7);
        break;
      default:
        sample.y(i) = i % 2 == 0 ? Real{1} : Real{-1};
    }
  }
  return sample;
}

bool say(const char* what, const GradientReport& report) {
  std::cout << what << ": " << (report ? "agrees" : "DIFFERS") << ", largest difference "
            << scientific_text(report.error, 2) << " of the largest score";
  if (report.kinks > 0) std::cout << "; " << report.kinks << " values at kinks left out";
  std::cout << "\n";
  if (!report) std::cout << "  " << report.message << "\n";
  return report.agrees;
}

int run(const GradientArguments& arguments) {
  const ModelType* type = Registry::standard().find_model_type(arguments.model);
  check_argument(type != nullptr, "check-gradients", [&] {
    std::vector<std::string> names;
    for (const ModelType& known : Registry::standard().model_types()) names.push_back(known.name);
    return "there is no model '" + arguments.model + "'" + instead_of(arguments.model, names);
  });
  Settings settings(type->settings);
  for (const std::string& one : arguments.settings) settings.set_from_text(one);
  const bool multiclass = type->labels.at(0) == LabelKind::kMulticlass;
  const auto model = type->make(settings, {arguments.features, multiclass ? arguments.classes : 2, type->labels.at(0)});
  const Sample sample = sample_for(arguments, *type);
  Particles points(3, model->dimension());
  Rng rng({.seed = arguments.seed, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  model->draw_prior(rng, points);
  points *= Real(0.5);  // away from the edge of a bounded prior and from where everything saturates
  std::cout << arguments.model << ", " << model->dimension() << " parameters, scores against central differences\n";
  const PriorScore prior(*model);
  const bool first = say("prior     ",
                         check_gradient([&](const ConstMatrixRef& theta) { return model->prior_log_density(theta); },
                                        prior,
                                        points,
                                        {.skip_kinks = true}));
  const FullLikelihood likelihood(*model, {sample.x, sample.y});
  const bool second = say("likelihood",
                          check_gradient(
                              [&](const ConstMatrixRef& theta) {
                                return model->log_likelihood(theta, {sample.x, sample.y});
                              },
                              likelihood,
                              points,
                              {.skip_kinks = true}));
  return first && second ? 0 : 1;
}

}  // namespace

void add_check_gradients(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<GradientArguments>();
  CLI::App* verb = program.add_subcommand("check-gradients", "Checks a model's scores by finite differences");
  verb->add_option("model", arguments->model, "type of the model, as in [model]")->required()->type_name("MODEL");
  verb->add_option("--set", arguments->settings, "a setting of the model")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  verb->add_option("--rows", arguments->rows, "number of rows of generated data")->check(whole_number(1, 100000));
  verb->add_option("--features", arguments->features, "number of features of generated data")
      ->check(whole_number(1, 10000));
  verb->add_option("--classes", arguments->classes, "number of classes of a multiclass model")
      ->check(whole_number(2, 1000));
  verb->add_option("--seed", arguments->seed, "seed of the generated data");
  verb->footer(
      "Examples:\n"
      "  fedstein check-gradients logistic-regression\n"
      "  fedstein check-gradients negative-binomial-regression --rows 200\n"
      "  fedstein check-gradients bnn-classification --set hidden=20 --classes 10");
  verb->callback([arguments, &outcome] { outcome.exit_code = run(*arguments); });
}

}  // namespace fedstein
