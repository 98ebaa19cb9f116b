// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "callables.h"
#include "errors.h"
#include "fedstein/base/counted.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/model/support.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/falling_step.h"
#include "fedstein/stein/svgd.h"
#include "interrupts.h"
#include "particles.h"
#include "target.h"

namespace fedstein::python {
namespace {

constexpr const char* kWho = "svgd";

struct StepChoice {
  std::string rule = {};
  std::optional<double> learning_rate = {};
  double momentum = 0;
  std::optional<double> epsilon = {};
};

std::unique_ptr<StepRule> step_rule_of(const StepChoice& choice) {
  if (choice.rule == "adagrad") {
    AdaGrad::Options options;
    options.momentum = choice.momentum;
    if (choice.learning_rate) options.learning_rate = *choice.learning_rate;
    if (choice.epsilon) options.epsilon = *choice.epsilon;
    return std::make_unique<AdaGrad>(options);
  }
  if (choice.rule == "adam") {
    Adam::Options options;
    if (choice.learning_rate) options.learning_rate = *choice.learning_rate;
    if (choice.epsilon) options.epsilon = *choice.epsilon;
    return std::make_unique<Adam>(options);
  }
  constexpr double kPlainRate = 0.01;  // as Adam's
  if (choice.rule == "plain") return std::make_unique<PlainStep>(choice.learning_rate.value_or(kPlainRate));
  refuse(kWho, "step_rule is '" + choice.rule + "'" + instead_of(choice.rule, {"adagrad", "adam", "plain"}));
}

const char* reason_of(SvgdStop stop) {
  constexpr const char* kNames[] = {"all-steps", "tolerance", "callback"};
  return kNames[static_cast<std::size_t>(stop)];
}

// The bounds that somebody gave, or those of the target's model.
std::optional<Support> support_of(nb::handle given, const HeldTerms& held, Index columns) {
  if (given.is_none()) {
    if (held.model == nullptr || held.model->model->support() == nullptr) return std::nullopt;
    return *held.model->model->support();
  }
  check_argument(nb::isinstance<nb::tuple>(given) && nb::len(given) == 2,
                 kWho,
                 "support must be a tuple (low, high) of as many numbers each as a particle has");
  Support out{numbers_of(given[0], {kWho, "support[0]"}), numbers_of(given[1], {kWho, "support[1]"})};
  check_support(kWho, out);
  check_argument(out.low.size() == columns, kWho, [&] {
    return "support has " + counted(out.low.size(), "number") + "; a particle has " + std::to_string(columns);
  });
  return out;
}

double root_mean_square(const ConstMatrixRef& matrix) {
  return std::sqrt(matrix.cast<double>().squaredNorm() / static_cast<double>(matrix.size()));
}

nb::dict run(nb::handle target,
             nb::handle given,
             Index steps,
             const std::string& kernel_name,
             nb::handle bandwidth,
             const std::string& rule,
             std::optional<double> learning_rate,
             double momentum,
             std::optional<double> epsilon,
             bool falling,
             double tolerance,
             bool measure_ksd,
             nb::handle support,
             nb::handle on_step) {
  const HeldTerms held = terms_of(target, {kWho, "score"});
  Matrix particles = MatrixArgument(given, {kWho, "particles"}).view();
  check_not_empty(kWho, "particles", particles);
  if (held.model != nullptr) check_columns(kWho, "particles", particles, held.model->model->dimension());
  const std::unique_ptr<Kernel> kernel = kernel_of(kernel_name, bandwidth, kWho);
  const std::unique_ptr<StepRule> whole =
      step_rule_of({.rule = rule, .learning_rate = learning_rate, .momentum = momentum, .epsilon = epsilon});
  std::optional<FallingStep> fallen;
  if (falling && steps > 0) fallen.emplace(*whole, steps);
  const std::optional<Support> bounds = support_of(support, held, particles.cols());
  const Kept watch = callable_of(on_step, {kWho, "on_step"}, Absent::kAllowed);

  SvgdOptions options{.steps = steps,
                      .kernel = kernel.get(),
                      .step_rule = fallen ? static_cast<const StepRule*>(&*fallen) : whole.get(),
                      .tolerance = tolerance,
                      .measure_ksd = measure_ksd};
  options.constrain = [&](MatrixRef moved) {
    if (bounds) bounds->reflect(moved);
    heed_signals();
  };
  if (watch) {
    options.stop_when = [&](const SvgdOptions::Trace& at) {
      return in_python([&] {
        const nb::object answer = watch.get()(at.step, copy_of(at.particles), root_mean_square(at.direction));
        const int stops = PyObject_IsTrue(answer.ptr());
        if (stops < 0) throw nb::python_error();
        return stops == 1;
      });
    };
  }
  const EndedByInterrupt ended_by;
  const SvgdSummary summary = without_lock([&] { return svgd(particles, held.terms, options); });
  nb::dict out;
  out["particles"] = array_of(std::move(particles));
  out["steps"] = summary.steps;
  out["reason"] = reason_of(summary.stop);
  out["message"] = summary.message();
  out["direction"] = nb::cast(summary.direction);
  out["ksd"] = nb::cast(summary.ksd);
  return out;
}

}  // namespace

void bind_svgd(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("svgd",
             run,
             "target"_a,
             "particles"_a,
             nb::kw_only(),
             "steps"_a = 200,
             "kernel"_a = "rbf",
             "bandwidth"_a = "paper",
             "step_rule"_a = "adagrad",
             "learning_rate"_a = nb::none(),
             "momentum"_a = 0.9,
             "epsilon"_a = nb::none(),
             "falling"_a = false,
             "tolerance"_a = 0.0,
             "measure_ksd"_a = false,
             "support"_a = nb::none(),
             "on_step"_a = nb::none(),
             "Stein variational gradient descent: moves particles towards a target.");
}

}  // namespace fedstein::python
