// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/own_defaults.h"

#include <algorithm>

namespace fedstein {
namespace {

constexpr double kNetworkRate = 0.001;
constexpr double kNetworkEpsilon = 1e-6;

bool has_choice(const Settings& settings, const std::string& key, const std::string& choice) {
  if (!settings.has(key)) return false;
  return std::any_of(settings.definitions().begin(), settings.definitions().end(), [&](const Setting& setting) {
    return setting.key == key &&
           std::find(setting.choices.begin(), setting.choices.end(), choice) != setting.choices.end();
  });
}

}  // namespace

void apply_own_defaults(const Model& model, Settings& settings) {
  const bool has_data = model.predictive() != nullptr;
  if (has_data && model.starts_at_zero() && has_choice(settings, "start", "near-zero") &&
      settings.text("start") == "prior") {
    settings.set("start", std::string("near-zero"));
  }
  const bool adagrad = settings.has("step_rule") && settings.text("step_rule") == "adagrad";
  if (model.starts_at_zero() || !adagrad) return;
  if (settings.has("learning_rate")) settings.set("learning_rate", kNetworkRate);
  if (settings.has("epsilon")) settings.set("epsilon", kNetworkEpsilon);
}

}  // namespace fedstein
