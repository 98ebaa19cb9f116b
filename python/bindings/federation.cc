// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/federation.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "callables.h"
#include "errors.h"
#include "federations.h"
#include "fedstein/numeric/check.h"
#include "held_federation.h"
#include "interrupts.h"
#include "records.h"
#include "schedulers.h"

namespace fedstein::python {
namespace {

constexpr const char* kWho = "Federation";

// Figures that the callback left in the record.
void take_figures(nb::dict record, RoundRecord& into) {
  const nb::object figures = record["figures"];
  if (!nb::isinstance<nb::dict>(figures)) return;
  // A value's __float__ may change the dictionary meanwhile.
  const auto copy = nb::steal<nb::dict>(PyDict_Copy(figures.ptr()));
  if (!copy.is_valid()) throw nb::python_error();
  for (const auto& [name, value] : copy) {
    double number = 0;
    check_argument(nb::isinstance<nb::str>(name) && nb::try_cast(value, number), "on_round", [&] {
      return "the figure " + shown(nb::borrow(name)) + " is " + shown(nb::borrow(value)) +
             "; figures are numbers by name";
    });
    into.figures[text_of(name, {"on_round", "a figure's name"})] = number;
  }
}

class PyFederation {
 public:
  PyFederation(nb::handle method,
               nb::dict settings,
               const HeldModel& model,
               nb::handle shards,
               std::uint64_t seed,
               nb::handle unlabelled)
      : held_(method_of(method, kWho), settings, model, shards, seed, unlabelled), seed_(seed) {}

  nb::dict run(Index rounds,
               nb::handle on_round,
               int retries,
               std::optional<std::string> scheduler,
               double fraction,
               bool keep_records) {
    Federation& federation = held_.at_rest("run");
    check_argument(retries >= 0, "Federation.run", [&] {
      return "retries is " + std::to_string(retries) + "; it must be at least 0";
    });
    const Kept watch = callable_of(on_round, {"Federation.run", "on_round"}, Absent::kAllowed);
    std::unique_ptr<Scheduler> chosen;
    if (scheduler) chosen = scheduler_of(*scheduler, fraction, federation, seed_, held_.row_counts());
    RunOptions options{.rounds = rounds, .scheduler = chosen.get(), .retries = retries, .keep_records = keep_records};
    options.on_round = [&](RoundRecord& record, const Particles& particles) {
      heed_signals();
      return watch ? watched(watch, record, particles) : Next::kContinue;
    };
    const HeldFederation::Busy busy(held_);
    const EndedByInterrupt ended_by;
    return dict_of(without_lock([&] { return federation.run(options); }));
  }

  // A method of the user's own is asked in Python, where other threads come in between.
  RealMatrix particles() {
    Federation& federation = held_.between_rounds("particles");
    const HeldFederation::Read reading(held_);
    return array_of(federation.particles());
  }
  RealMatrix working_particles() {
    Federation& federation = held_.between_rounds("working_particles");
    const HeldFederation::Read reading(held_);
    return array_of(federation.server().working_particles());
  }
  nb::object log_density(nb::handle given) {
    Federation& federation = held_.between_rounds("log_density");
    const MatrixArgument theta(given, {"Federation.log_density", "theta"});
    check_columns("Federation.log_density", "theta", theta.view(), held_.model().model->dimension());
    const HeldFederation::Read reading(held_);
    DoubleVector found = without_lock([&] { return federation.server().log_density(theta.view()); });
    return found.size() == 0 && theta.rows() > 0 ? nb::none() : nb::cast(array_of(std::move(found)));
  }
  nb::dict server_figures() {
    Federation& federation = held_.between_rounds("server_figures");
    const HeldFederation::Read reading(held_);
    nb::dict out;
    for (const auto& [name, value] : federation.server().figures()) out[name.c_str()] = value;
    return out;
  }
  nb::bytes save() {
    Federation& federation = held_.between_rounds("save");
    const HeldFederation::Read reading(held_);
    const std::string bytes = federation.save();
    return nb::bytes(bytes.data(), bytes.size());
  }
  void restore(nb::bytes bytes, Index rounds_before) {
    Federation& federation = held_.at_rest("restore");
    const HeldFederation::Busy busy(held_);
    federation.restore(std::string(bytes.c_str(), bytes.size()), rounds_before);
  }
  Index rounds() const { return held_.settled().rounds(); }
  Index agents() const { return held_.settled().agents(); }
  const std::string& method() const { return held_.method().algorithm->name; }
  HeldModel model() const { return held_.model(); }

 private:
  Next watched(const Kept& watch, RoundRecord& record, const Particles& particles) {
    return in_python([&] {
      const HeldFederation::Watched between(held_);
      const nb::dict told = dict_of(record);
      const nb::object answer = watch.get()(told, copy_of(particles));
      take_figures(told, record);
      const int stops = PyObject_IsTrue(answer.ptr());
      if (stops < 0) throw nb::python_error();
      return stops == 1 ? Next::kStop : Next::kContinue;
    });
  }

  HeldFederation held_;
  std::uint64_t seed_;
};

}  // namespace

void bind_federation(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyFederation>(module, "Federation", "A whole federation in this process.")
      .def(nb::init<nb::handle, nb::dict, const HeldModel&, nb::handle, std::uint64_t, nb::handle>(),
           "method"_a,
           "settings"_a,
           "model"_a,
           "shards"_a,
           "seed"_a = 1,
           "unlabelled"_a = nb::none())
      .def("run",
           &PyFederation::run,
           "rounds"_a,
           "on_round"_a = nb::none(),
           nb::kw_only(),
           "retries"_a = 0,
           "scheduler"_a = nb::none(),
           "fraction"_a = 1.0,
           "keep_records"_a = true)
      .def("particles", &PyFederation::particles)
      .def("working_particles", &PyFederation::working_particles)
      .def("log_density", &PyFederation::log_density, "theta"_a)
      .def("server_figures", &PyFederation::server_figures)
      .def("save", &PyFederation::save)
      .def("restore", &PyFederation::restore, "bytes"_a, "rounds_before"_a = 0)
      .def_prop_ro("rounds", &PyFederation::rounds)
      .def_prop_ro("agents", &PyFederation::agents)
      .def_prop_ro("method", &PyFederation::method)
      .def_prop_ro("model", &PyFederation::model);
}

}  // namespace fedstein::python
