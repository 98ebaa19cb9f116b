// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/points/tuned_point.h"

#include "fedstein/methods/points/point_method.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

Setting tuning_setting() {
  return {.key = "tuning",
          .standard = std::string("own"),
          .help =
              "shared: step sizes, preconditioner and momentum are found as in c-dsvgd, and learning_rate, step_rule, "
              "epsilon and momentum are not used",
          .choices = {"own", "shared"}};
}

CDsvgdSetup tuned_setup(const Settings& settings, const PointRecipe& recipe, const ParticleExtras& extras) {
  if (settings.has("weighting")) {
    const std::string weighting = settings.text("weighting");
    check_argument(
        weighting == "rows", "tuning", "weighting is '" + weighting + "'; with tuning = 'shared' allowed: rows");
  }
  const PointOptions point = point_options(settings);
  CDsvgdSetup setup;
  setup.particles = 1;
  setup.local_steps = point.local_steps;
  setup.batch = point.batch;
  setup.temperature = point.temperature;
  setup.kernel = "none";
  setup.repulsion = "none";
  setup.variates = recipe.variates;
  setup.prior = point.prior;
  setup.proximal = recipe.proximal;
  setup.steered = false;
  return extras.in(setup);
}

std::unique_ptr<ServerSide> tuned_server(const ServerContext& context, const Settings& settings, CDsvgdSetup setup) {
  if (setup.given_start.size() == 0) {
    setup.given_start = initial_point(*context.model, point_options(settings), context.seed);
  }
  return std::make_unique<CDsvgdServer>(context, setup);
}

}  // namespace fedstein
