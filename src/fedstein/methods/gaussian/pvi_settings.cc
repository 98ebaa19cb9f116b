// SPDX-License-Identifier: Apache-2.0
// PVI and GVI as algorithms, and their settings; the halves are in pvi.cc.
#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/methods/pvi.h"

namespace fedstein {
namespace {

std::vector<Setting> gaussian_settings() {
  const GaussianSetup standard;
  std::vector<Setting> settings = shared_settings({"particles", "local_steps", "batch", "temperature"});
  Setting& draws = setting_named("particles", settings);
  draws.standard = standard.particles;
  draws.help = "number of draws from q for predictions";
  setting_named("local_steps", settings).help = "fixed-point steps in a round, L";
  const std::vector<Setting> own = {
      {.key = "rate",
       .standard = standard.rate,
       .help = "share of the new factor in a step; falls to 0 within a round, and with minibatches over the rounds",
       .least = kAboveZero,
       .most = 1},
      {.key = "pairs", .standard = standard.pairs, .help = "antithetic draws in a step; mean field only", .least = 1},
      {.key = "covariance",
       .standard = standard.covariance,
       .help = "covariance of q; auto: full, by quadrature, for one or two parameters, else diagonal",
       .choices = {"auto", "diagonal"}},
      {.key = "start",
       .standard = standard.start,
       .help = "first q; prior: the prior; draw: around a random initialisation; auto: draw for networks, else prior",
       .choices = {"auto", "prior", "draw"}},
  };
  settings.insert(settings.end(), own.begin(), own.end());
  return settings;
}

GaussianSetup gaussian_options(const Settings& settings) {
  GaussianSetup options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.rate = settings.number("rate");
  options.pairs = settings.integer("pairs");
  options.covariance = settings.text("covariance");
  options.start = settings.text("start");
  if (settings.has("damping")) options.damping = settings.number("damping");
  return options;
}

Algorithm gaussian_algorithm() {
  Algorithm algorithm;
  algorithm.settings = gaussian_settings();
  algorithm.objection = [](const Model& model) -> std::string {
    if (model.support() == nullptr) return {};
    return "the model's prior is uniform on a box; a Gaussian q needs a prior on all of R^d, such as a Gaussian one";
  };
  algorithm.make_server = [](const ServerContext& context, const Settings& settings) {
    return std::make_unique<PviServer>(context, gaussian_options(settings));
  };
  algorithm.make_agent = [](const AgentContext& context, const Settings& settings) {
    return std::make_unique<PviAgent>(context, gaussian_options(settings));
  };
  return algorithm;
}

}  // namespace

Algorithm pvi_algorithm() {
  Algorithm algorithm = gaussian_algorithm();
  algorithm.name = "pvi";
  algorithm.summary = "partitioned variational inference: Gaussian q, one Gaussian factor per agent";
  algorithm.parallel = true;
  algorithm.settings.push_back(
      {.key = "damping",
       .standard = GaussianSetup{}.damping,
       .help = "rho, the share of an agent's update that is applied; 0: one over the number of agents in the round",
       .least = 0,
       .most = 1});
  return algorithm;
}

Algorithm gvi_algorithm() {
  Algorithm algorithm = gaussian_algorithm();
  algorithm.name = "gvi";
  algorithm.summary = "global variational inference: Gaussian q on all data";
  algorithm.centralised = true;
  return algorithm;
}

}  // namespace fedstein
