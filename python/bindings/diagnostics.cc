// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "callables.h"
#include "errors.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/collapse.h"
#include "fedstein/stein/ksd.h"
#include "gradient_report.h"
#include "particles.h"
#include "target.h"

namespace fedstein::python {
namespace {

// Particles with the scores at them.
struct Scored {
  MatrixArgument particles;
  MatrixArgument scores;

  Scored(nb::handle x, nb::handle s, const char* function)
      : particles(x, {function, "particles"}), scores(s, {function, "scores"}) {
    check_not_empty(function, "particles", particles.view());
    check_same_shape(function, "scores", scores.view(), "particles", particles.view());
  }
};

double ksd_of(nb::handle particles, nb::handle scores, const std::string& kernel_name, nb::handle bandwidth) {
  const Scored given(particles, scores, "ksd");
  const std::unique_ptr<Kernel> kernel = kernel_of(kernel_name, bandwidth, "ksd");
  return without_lock([&] { return ksd(*kernel, given.particles.view(), given.scores.view()); });
}

nb::dict collapse(nb::handle particles, nb::handle scores, double threshold) {
  const Scored given(particles, scores, "collapse");
  check_argument(std::isfinite(threshold) && threshold >= 0, "collapse", [&] {
    return "threshold is " + to_text(threshold) + "; it must be a finite number, 0 or above";
  });
  CollapseReport report =
      without_lock([&] { return diagnose_collapse(given.particles.view(), given.scores.view(), threshold); });
  nb::dict out;
  out["variance"] = array_of(std::move(report.variance));
  out["implied"] = array_of(std::move(report.implied));
  out["ratio"] = array_of(std::move(report.ratio));
  out["median_ratio"] = report.median_ratio;
  out["collapsed"] = report.collapsed;
  return out;
}

nb::dict gradient(nb::handle log_density,
                  nb::handle score,
                  nb::handle points,
                  std::optional<double> tolerance,
                  Index most_coordinates,
                  bool skip_kinks) {
  constexpr const char* kWho = "check_gradient";
  const Kept density = callable_of(log_density, {kWho, "log_density"});
  const HeldTerms held = terms_of(score, {kWho, "score"});
  const MatrixArgument at(points, {kWho, "points"});
  check_not_empty(kWho, "points", at.view());
  if (held.model != nullptr) check_columns(kWho, "points", at.view(), held.model->model->dimension());
  const GradientCheckOptions options = gradient_options(kWho, tolerance, most_coordinates, skip_kinks);

  struct Sum : Score {
    explicit Sum(const Terms& summed) : terms(&summed) {}
    void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override {
      for (const Term& term : *terms) term.score->add(theta, step, weight * term.weight, grad);
    }
    const Terms* terms;
  };
  const Sum all(held.terms);
  const GradientReport report = without_lock([&] {
    return check_gradient(
        [&](const ConstMatrixRef& theta) {
          return in_python([&] { return densities_of(density.get()(copy_of(theta)), "log_density", theta.rows()); });
        },
        all,
        at.view(),
        options);
  });
  return dict_of(report);
}

// with core.ThreadLimit(2): ...
class HeldLimit {
 public:
  explicit HeldLimit(int threads) : threads_(threads) {
    check_argument(threads >= 1, "ThreadLimit", "threads is " + std::to_string(threads) + "; it must be at least 1");
  }
  HeldLimit& enter() {
    limit_ = std::make_unique<ThreadLimit>(threads_);
    return *this;
  }
  void exit(nb::args) { limit_.reset(); }

 private:
  int threads_;
  std::unique_ptr<ThreadLimit> limit_ = {};
};

}  // namespace

void bind_diagnostics(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("ksd", ksd_of, "particles"_a, "scores"_a, "kernel"_a = "rbf", "bandwidth"_a = "paper");
  module.def("collapse", collapse, "particles"_a, "scores"_a, "threshold"_a = 0.1);
  module.def("check_gradient",
             gradient,
             "log_density"_a,
             "score"_a,
             "points"_a,
             "tolerance"_a = nb::none(),
             "most_coordinates"_a = 400,
             "skip_kinks"_a = false);
  module.def("threads", available_threads, "How many threads work at a time.");
  nb::class_<HeldLimit>(module, "ThreadLimit", "At most so many threads work, inside a with statement.")
      .def(nb::init<int>(), "threads"_a)
      .def("__enter__", &HeldLimit::enter, nb::rv_policy::reference)
      .def("__exit__", &HeldLimit::exit);
}

}  // namespace fedstein::python
