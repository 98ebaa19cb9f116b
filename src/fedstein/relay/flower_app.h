// SPDX-License-Identifier: Apache-2.0
// A Flower app around a configuration, ready for `flwr run`: docs/flower.md. The program's verb and the Python package
// both write it here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/registry/registry.h"

namespace fedstein {

// Something of the user's own in a Python file, which goes into the app.
struct FlowerSource {
  std::string file = {};
  std::string name = {};  // in it
};

struct FlowerAppOptions {
  std::string folder = {};      // of the app; new or empty
  std::string experiment = {};  // the configuration's file, as for `fedstein serve`
  std::string state = {};       // the server's folder; empty: "state" in the app's
  std::string publisher = "fedstein";
  std::optional<FlowerSource> model = {};
  std::optional<FlowerSource> method = {};
};

// Gives the lines to tell, the next command last. What the configuration names must be in the registry. Throws what
// parse_federation() throws, InvalidArgument, AlreadyThere, WriteError; of an app that could not be written nothing
// stays.
std::vector<std::string> write_flower_app(const FlowerAppOptions& options,
                                          const Registry& registry = Registry::standard());

}  // namespace fedstein
