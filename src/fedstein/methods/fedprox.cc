// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedprox.h"

namespace fedstein {
namespace {

FedAvgSetup fedprox_options(const Settings& settings) {
  FedAvgSetup options = fedavg_options(settings);
  options.proximal = settings.number("mu");
  return options;
}

}  // namespace

Algorithm fedprox_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = point_settings();
  settings.push_back({.key = "mu", .standard = 0.01, .help = "weight of the pull to the server's weights", .least = 0});
  return {
      .name = "fedprox",
      .summary = "FedAvg with agents held near the server's weights, for skewed data",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FedAvgServer>(fedprox_options, extras),
      .make_agent = makes<FedAvgAgent>(fedprox_options, extras),
  };
}

}  // namespace fedstein
