// SPDX-License-Identifier: Apache-2.0
// FedAvg, FedProx and SCAFFOLD with the recipe of c-dsvgd (`tuning` = "shared"): its step control, its preconditioner
// and a momentum of the server, for one point instead of particles. A comparison then tells what particles add from
// what tuning adds.
//
// The recipe needs the mean score on the way and a report, so that agents upload 3 d + 2 numbers and receive 3 d.
#pragma once

#include "fedstein/methods/c_dsvgd.h"

namespace fedstein {

// The point methods' setting "tuning".
Setting tuning_setting();

// What the method is made of: SCAFFOLD has variates, FedProx a pull of weight mu to the server's weights.
struct PointRecipe {
  bool variates = false;
  double proximal = 0;
};

// The options of c-dsvgd that stand for a tuned point method. Throws InvalidArgument for settings that exclude it.
CDsvgdSetup tuned_setup(const Settings& settings, const PointRecipe& recipe, const ParticleExtras& extras);
std::unique_ptr<ServerSide> tuned_server(const ServerContext& context, const Settings& settings, CDsvgdSetup setup);

// Makes a method's two halves: its own, or those of the recipe where the settings say so.
template <typename Server, typename Agent, typename OptionsOf, typename RecipeOf>
void make_tunable(Algorithm& algorithm, OptionsOf options_of, RecipeOf recipe_of, const ParticleExtras& extras) {
  algorithm.settings.push_back(tuning_setting());
  algorithm.make_server = [=](const ServerContext& context, const Settings& settings) -> std::unique_ptr<ServerSide> {
    if (settings.text("tuning") == "shared") {
      return tuned_server(context, settings, tuned_setup(settings, recipe_of(settings), extras));
    }
    return std::make_unique<Server>(context, extras.in(options_of(settings)));
  };
  algorithm.make_agent = [=](const AgentContext& context, const Settings& settings) -> std::unique_ptr<AgentSide> {
    if (settings.text("tuning") == "shared") {
      return std::make_unique<CDsvgdAgent>(context, tuned_setup(settings, recipe_of(settings), extras));
    }
    return std::make_unique<Agent>(context, extras.in(options_of(settings)));
  };
}

}  // namespace fedstein
