// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedprox.h"

#include "fedstein/methods/points/tuned_point.h"

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
  settings.push_back({.key = "mu",
                      .standard = 0.01,
                      .help = "weight of the penalty that keeps agents near the server's weights",
                      .least = 0});
  Algorithm made{
      .name = "fedprox",
      .summary = "FedAvg with a penalty that keeps agents near the server's weights, for skewed data",
      .parallel = true,
      .settings = std::move(settings),
  };
  const auto recipe = [](const Settings& given) { return PointRecipe{.proximal = given.number("mu")}; };
  make_tunable<FedAvgServer, FedAvgAgent>(made, fedprox_options, recipe, extras);
  return made;
}

}  // namespace fedstein
