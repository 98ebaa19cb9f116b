// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/flower_app.h"

#include <nanobind/stl/string.h>

#include <utility>

#include "fedstein/base/exit_codes.h"
#include "own_registry.h"
#include "relays.h"

namespace fedstein::python {
namespace {

std::optional<FlowerSource> source_of(const std::string& file, const std::string& name) {
  if (file.empty()) return std::nullopt;
  return FlowerSource{file, name};
}

// The exit code and the lines that the program's verb would have: for a command line in Python.
nb::tuple new_flower_app(FlowerAppOptions options, const Registry& registry) {
  nb::list lines;
  try {
    for (const std::string& line : write_flower_app(options, registry)) lines.append(line);
    return nb::make_tuple(0, lines);
  } catch (const std::exception& error) {
    lines.append("fedstein: " + sentence_of(error));
    return nb::make_tuple(exit_code(error), lines);
  }
}

}  // namespace

void bind_flower_app(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def(
      "new_flower_app",
      [](const std::string& folder,
         const std::string& experiment,
         const std::string& state,
         const std::string& publisher,
         const std::string& model_file,
         const std::string& model_name,
         const std::string& method_file,
         const std::string& method_name,
         nb::handle model,
         nb::handle method) {
        return new_flower_app({.folder = folder,
                               .experiment = experiment,
                               .state = state,
                               .publisher = publisher,
                               .model = source_of(model_file, model_name),
                               .method = source_of(method_file, method_name)},
                              *registry_with(model, method));
      },
      "folder"_a,
      "experiment"_a,
      nb::kw_only(),
      "state"_a,
      "publisher"_a,
      "model_file"_a = "",
      "model_name"_a = "",
      "method_file"_a = "",
      "method_name"_a = "",
      "model"_a = nb::none(),
      "method"_a = nb::none());
}

}  // namespace fedstein::python
