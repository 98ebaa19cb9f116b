// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/definitions.h"

#include <algorithm>

#include "fedstein/config/table_keys.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::vector<Setting> model_keys(const Registry& registry) {
  std::vector<std::string> types;
  for (const ModelType& type : registry.model_types()) types.push_back(type.name);
  return {
      {.key = "type",
       .standard = std::string(),
       .help =
           "the model; when absent, it follows from the dataset's labels: logistic-regression for binary, "
           "bnn-classification for multiclass, bnn-regression for regression, negative-binomial-regression for counts",
       .choices = types,
       .when_absent = WhenAbsent::kElsewhere}};
}

std::vector<Setting> algorithm_keys(const Registry& registry) {
  std::vector<Setting> keys;
  Setting type{.key = "type", .standard = std::string(), .help = "the method", .when_absent = WhenAbsent::kMistake};
  for (const Algorithm& algorithm : registry.algorithms()) type.choices.push_back(algorithm.name);
  keys.push_back(type);
  keys.push_back({.key = "label",
                  .standard = std::string(),
                  .help = "unique name in tables and figures; when absent, the type",
                  .when_absent = WhenAbsent::kElsewhere});
  for (Setting setting : federation_keys()) {
    setting.help += "; when absent, that of [federation]";
    setting.when_absent = WhenAbsent::kElsewhere;
    keys.push_back(setting);
  }
  keys.push_back({.key = "alone",
                  .standard = Index{0},
                  .help = "train on the rows of this agent only, counted from 0: what the agent would reach without a "
                          "federation; when absent, all agents take part",
                  .least = 0,
                  .when_absent = WhenAbsent::kElsewhere});
  keys.push_back({.key = "cases",
                  .standard = std::string(),
                  .help = "names of the [[case]]s in which the method runs; when absent, all",
                  .plurality = Plurality::kList,
                  .when_absent = WhenAbsent::kElsewhere});
  return keys;
}

std::vector<Setting> with_validation(std::vector<Setting> keys) {
  for (Setting& setting : validation_keys()) keys.push_back(std::move(setting));
  return keys;
}

std::vector<TableDefinition> make_tables(const Registry& registry) {
  return {
      {.name = "experiment",
       .help = "what is run: the data, how they are divided among agents, repetitions",
       .keys = experiment_keys()},
      {.name = "data", .help = "how to read a dataset that is a path", .keys = data_keys()},
      {.name = "model", .help = "the model and its settings", .keys = model_keys(registry)},
      {.name = "federation", .help = "rounds and who takes part in them", .keys = with_validation(federation_keys())},
      {.name = "evaluation", .help = "what is measured and stored during a run", .keys = evaluation_keys()},
      {.name = "hyperparameters", .help = "settings for all listed methods that have them"},
      {.name = "algorithm",
       .help = "a method to run, with its own settings",
       .repeated = true,
       .keys = algorithm_keys(registry)},
      {.name = "sweep", .help = "\"table.key\" = [values]: each combination of the values is a case"},
      {.name = "case",
       .help = "a variant of the experiment: a name, and \"table.key\" = value for each difference",
       .repeated = true,
       .keys = {{.key = "name",
                 .standard = std::string(),
                 .help = "unique name in tables and figures",
                 .when_absent = WhenAbsent::kMistake}}},
      {.name = "quick", .help = "\"table.key\" = value for each difference of a quick run"},
      {.name = "figure",
       .help = "a picture in the report, shown before the standard ones",
       .repeated = true,
       .keys = figure_keys()},
  };
}

// A key that means two things would be read as either.
template <typename Entry>
void check_apart(const Entry& entry, const std::vector<Setting>& keys) {
  for (const Setting& setting : entry.settings) {
    check_argument(find_setting(keys, setting.key) == nullptr, "registry", [&] {
      return "'" + entry.name + "' has a setting '" + setting.key + "', which its table has already";
    });
  }
}

}  // namespace

Definitions::Definitions(const Registry& registry) : registry_(&registry), tables_(make_tables(registry)) {
  for (const Algorithm& algorithm : registry.algorithms()) check_apart(algorithm, of("algorithm"));
  for (const ModelType& type : registry.model_types()) check_apart(type, of("model"));
}

const Definitions& Definitions::standard() {
  static const Definitions standard(Registry::standard());
  return standard;
}

const std::vector<Setting>& Definitions::of(std::string_view table) const {
  const auto found =
      std::find_if(tables_.begin(), tables_.end(), [&](const TableDefinition& each) { return each.name == table; });
  check_argument(
      found != tables_.end(), "table_definitions", [&] { return "there is no table '" + std::string(table) + "'"; });
  return found->keys;
}

const std::vector<TableDefinition>& configuration_tables() {
  return Definitions::standard().tables();
}

const std::vector<Setting>& table_definitions(std::string_view table) {
  return Definitions::standard().of(table);
}

const Setting* find_setting(const std::vector<Setting>& settings, std::string_view key) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : &*found;
}

std::vector<std::string> keys_of(const std::vector<Setting>& settings) {
  std::vector<std::string> keys;
  keys.reserve(settings.size());
  for (const Setting& setting : settings) keys.push_back(setting.key);
  return keys;
}

}  // namespace fedstein
