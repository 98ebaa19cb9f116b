// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/agent_relay.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <utility>

#include "arrays.h"
#include "carried.h"
#include "errors.h"
#include "own_registry.h"
#include "relays.h"

namespace fedstein::python {
namespace {

OwnRows own_rows(nb::handle x, nb::handle y, const char* name) {
  if (x.is_none() && y.is_none()) return {};
  const std::string labels = std::string(name) + "'s labels";
  return {MatrixArgument(x, {"AgentRelay", name}).view(), vector_of(y, {"AgentRelay", labels.c_str()})};
}

class PyAgentRelay {
 public:
  PyAgentRelay(const std::string& name,
               const std::string& state,
               const std::string& file,
               const std::string& label_file,
               const std::string& test_file,
               const std::string& test_label_file,
               nb::handle x,
               nb::handle y,
               nb::handle test_x,
               nb::handle test_y,
               bool simulate,
               const std::string& data_folder,
               const std::string& forget_factor,
               nb::handle model,
               nb::handle method)
      : registry_(registry_with(model, method, [told = lines_](const std::string& line) { told->add(line); })) {
    AgentData data{.rows = own_rows(x, y, "x"),
                   .file = file,
                   .label_file = label_file,
                   .simulate = simulate,
                   .test_rows = own_rows(test_x, test_y, "test_x"),
                   .test_file = test_file,
                   .test_label_file = test_label_file,
                   .data_folder = data_folder,
                   .registry = registry_.get()};
    relay_.emplace(std::move(data),
                   AgentRelayOptions{.name = name,
                                     .state = state,
                                     .forget_factor = forget_factor,
                                     .on_event = [told = lines_](const std::string& line) { told->add(line); }});
  }

  nb::tuple answer(nb::bytes head, nb::list numbers) {
    const Parcel message = parcel_of_python(std::move(head), std::move(numbers));
    return pair_of(without_lock([&] { return relay_->answer(message); }));
  }
  nb::tuple apology(nb::bytes head, nb::list numbers) {
    return pair_of(relay_->apology(parcel_of_python(std::move(head), std::move(numbers))));
  }
  nb::list lines() { return list_of_lines(*lines_); }

 private:
  std::shared_ptr<Told<std::string>> lines_ = std::make_shared<Told<std::string>>();  // the registry's agents tell
  std::shared_ptr<const Registry> registry_;
  std::optional<AgentRelay> relay_;
};

}  // namespace

void bind_agent_relay(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyAgentRelay>(module, "AgentRelay", "An agent behind an engine that carries its messages.")
      .def(nb::init<const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    nb::handle,
                    nb::handle,
                    nb::handle,
                    nb::handle,
                    bool,
                    const std::string&,
                    const std::string&,
                    nb::handle,
                    nb::handle>(),
           "name"_a,
           "state"_a,
           nb::kw_only(),
           "file"_a = "",
           "label_file"_a = "",
           "test_file"_a = "",
           "test_label_file"_a = "",
           "x"_a = nb::none(),
           "y"_a = nb::none(),
           "test_x"_a = nb::none(),
           "test_y"_a = nb::none(),
           "simulate"_a = false,
           "data_folder"_a = "",
           "forget_factor"_a = "",
           "model"_a = nb::none(),
           "method"_a = nb::none())
      .def("answer", &PyAgentRelay::answer, "head"_a, "numbers"_a)
      .def("apology", &PyAgentRelay::apology, "head"_a, "numbers"_a)
      .def("lines", &PyAgentRelay::lines);
}

}  // namespace fedstein::python
