// SPDX-License-Identifier: Apache-2.0
// A method of the user's own from Python functions, and what is taken for a method.
#include <nanobind/stl/string.h>

#include <utility>

#include "arrays.h"
#include "callables.h"
#include "federations.h"
#include "fedstein/numeric/check.h"
#include "fedstein/registry/registry.h"
#include "models.h"
#include "own_halves.h"
#include "settings.h"

namespace fedstein::python {

namespace {

HeldMethod own_method(const std::string& name,
                      nb::handle start,
                      nb::handle fold,
                      nb::handle make_agent,
                      nb::handle particles,
                      bool parallel,
                      bool centralised,
                      nb::list settings,
                      const std::string& summary) {
  constexpr const char* kWho = "Method";
  auto shared = std::make_shared<OwnMethod>();
  shared->name = name;
  shared->start = callable_of(start, {kWho, "start"});
  shared->fold = callable_of(fold, {kWho, "fold"});
  shared->make_agent = callable_of(make_agent, {kWho, "make_agent"});
  shared->particles = callable_of(particles, {kWho, "particles"}, Absent::kAllowed);
  Algorithm algorithm{.name = name, .summary = summary, .centralised = centralised, .parallel = parallel};
  for (const nb::handle one : settings) {
    check_argument(nb::isinstance<nb::dict>(one), kWho, "settings must be a list of dictionaries");
    algorithm.settings.push_back(definition_of(nb::cast<nb::dict>(one), kWho));
  }
  const std::shared_ptr<const OwnMethod> method = shared;
  const auto for_model = [method, algorithm](const HeldModel& model) {
    Algorithm whole = algorithm;
    whole.make_server = [method, model](const ServerContext& context, const Settings& chosen) {
      return make_own_server(method, model, context, chosen);
    };
    whole.make_agent = [method, model](const AgentContext& context, const Settings& chosen) {
      return make_own_agent(*method, model, context, chosen);
    };
    return whole;
  };
  Registry checked;  // the rules for names and settings
  checked.add(for_model({}));
  return {.algorithm = std::make_shared<Algorithm>(algorithm), .for_model = for_model};
}

std::string objection(nb::handle method, const HeldModel& model) {
  const HeldMethod held_method = method_of(method, "method_objection");
  return held_method.algorithm->objection ? held_method.algorithm->objection(*model.model) : std::string();
}

}  // namespace

HeldMethod method_of(nb::handle given, const char* function) {
  if (nb::isinstance<nb::str>(given)) {
    const Algorithm& known = Registry::standard().algorithm(text_of(given, {function, "method"}));
    return {.algorithm = std::shared_ptr<const Algorithm>(std::shared_ptr<const Algorithm>(), &known)};
  }
  HeldMethod* own = nullptr;
  check_argument(nb::try_cast(given, own, /*convert=*/false) && own != nullptr, function, [&] {
    return "method is a " + class_name(given) + "; it must be a method's name or a Method";
  });
  return *own;
}

void bind_method(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<HeldMethod>(module, "Method", "A federated method of your own, from functions.")
      .def(
          "__init__",
          [](HeldMethod* self,
             const std::string& name,
             nb::handle start,
             nb::handle fold,
             nb::handle make_agent,
             nb::handle particles,
             bool parallel,
             bool centralised,
             nb::list settings,
             const std::string& summary) {
            new (self) HeldMethod(
                own_method(name, start, fold, make_agent, particles, parallel, centralised, settings, summary));
          },
          "name"_a,
          nb::kw_only(),
          "start"_a,
          "fold"_a,
          "make_agent"_a,
          "particles"_a = nb::none(),
          "parallel"_a = false,
          "centralised"_a = false,
          "settings"_a = nb::list(),
          "summary"_a = "")
      .def_prop_ro("name", [](const HeldMethod& self) { return self.algorithm->name; });
  module.def("method_objection", objection, "method"_a, "model"_a, "Why a method cannot serve a model; empty: it can.");
}

}  // namespace fedstein::python
