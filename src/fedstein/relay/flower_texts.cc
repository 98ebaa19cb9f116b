// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/flower_texts.h"

namespace fedstein {

const std::string_view kFlowerProject = R"([build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "@name@"
version = "1.0.0"
description = "@name@: a federation of fedstein on Flower"
license = "Apache-2.0"
dependencies = ["fedstein[flower]"]

[tool.hatch.build.targets.wheel]
packages = ["."]

[tool.flwr.app]
publisher = "@publisher@"

[tool.flwr.app.components]
serverapp = "@module@.app:server"
clientapp = "@module@.app:client"

# Each can be changed for one run: flwr run . --run-config "dtype='float64'"
[tool.flwr.app.config]
state = "@state@"          # on the SuperLink's machine: journal, run and posterior
data-folder = ""           # where datasets known by name may lie
dtype = "float32"          # or float64; the same at server and agents
bind-seats = false         # true: each seat belongs to the key of the node that takes it first
tries = 3                  # how often Flower may fail with one task before its round goes on without the agent
probe-seconds = 15         # after which a node that does not answer is asked for its hello
agents-state = "@agents@"  # of a simulation: one folder in it for each agent
agents-data = ""           # of a simulation: the agents' files, as rows-{name}.csv; empty: shares of a dataset known by name
)";

const std::string_view kFlowerModule = R"("""A federation of fedstein on Flower."""

from pathlib import Path

from fedstein.flower import client_app, server_app
@imports@
experiment = Path(__file__).with_name("experiment.toml")
server = server_app(experiment@own@)
client = client_app(experiment@own@)
)";

std::string filled_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (;;) {
    const std::size_t begin = text.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('@', begin + 1);
    if (end == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, begin)).append(values.at(std::string(text.substr(begin + 1, end - begin - 1))));
    text.remove_prefix(end + 1);
  }
}

}  // namespace fedstein
