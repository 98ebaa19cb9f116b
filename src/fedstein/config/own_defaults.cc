// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/own_defaults.h"

#include <algorithm>

#include "fedstein/model/classifier.h"

namespace fedstein {
namespace {

constexpr double kNetworkRate = 0.001;
constexpr double kNetworkEpsilon = 1e-6;
constexpr double kPlainRate = 0.1;      // of points, on the mean loss
constexpr double kNetworkNoise = 1e-4;  // a0 of Langevin methods

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
  if (!model.starts_at_zero() && settings.has("a0")) settings.set("a0", kNetworkNoise);
  const bool adagrad = settings.has("step_rule") && settings.text("step_rule") == "adagrad";
  if (model.starts_at_zero() || !adagrad) return;
  const bool is_point = !settings.has("kernel_bandwidth");
  if (is_point && dynamic_cast<const Classifier*>(&model) != nullptr) {
    settings.set("step_rule", std::string("plain"));
    settings.set("learning_rate", kPlainRate);
    return;
  }
  if (settings.has("learning_rate")) settings.set("learning_rate", kNetworkRate);
  if (settings.has("epsilon")) settings.set("epsilon", kNetworkEpsilon);
}

}  // namespace fedstein
