// SPDX-License-Identifier: Apache-2.0
// Every table and key that a configuration may have. Checks, the JSON Schema and the reference documentation are made
// from these definitions; so are fedstein's own defaults. Those of the paper: preset.h, paper_defaults.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/base/settings.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

struct TableDefinition {
  std::string name;
  std::string help;
  bool repeated = false;  // written [[name]], any number of times
  // Its own keys. [model] and [[algorithm]] have those of the chosen type besides (registry.h);
  // [hyperparameters], [sweep], [[case]] and [quick] speak of keys of other tables.
  std::vector<Setting> keys = {};
};

// The tables where a registry's methods and models can be named. Borrows the registry.
class Definitions {
 public:
  // Throws InvalidArgument for a method or model with a setting that is called like a key of every [[algorithm]] or
  // [model].
  explicit Definitions(const Registry& registry);
  Definitions(Registry&&) = delete;
  static const Definitions& standard();

  const Registry& registry() const { return *registry_; }
  // In the order in which a document is best written.
  const std::vector<TableDefinition>& tables() const { return tables_; }
  // The keys of one of them; throws InvalidArgument for another name.
  const std::vector<Setting>& of(std::string_view table) const;

 private:
  const Registry* registry_;
  std::vector<TableDefinition> tables_;
};

// Of the standard registry: for what depends on tables and keys alone, not on the types that can be named.
const std::vector<TableDefinition>& configuration_tables();
const std::vector<Setting>& table_definitions(std::string_view table);

// Null when the list has no such key.
const Setting* find_setting(const std::vector<Setting>& settings, std::string_view key);
std::vector<std::string> keys_of(const std::vector<Setting>& settings);

// Names of scalings and schedulers that are rules to find one, as the definitions list them.
inline constexpr const char* kStandardScaling = "standard";
inline constexpr const char* kAuto = "auto";

}  // namespace fedstein
