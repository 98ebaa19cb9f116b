// SPDX-License-Identifier: Apache-2.0
#include "fedstein/registry/registry.h"

#include <algorithm>
#include <utility>

#include "fedstein/base/instead_of.h"
#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "Registry";

template <typename Entry>
const Entry* find_in(const std::deque<Entry>& entries, std::string_view name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

template <typename Entry>
std::string instead_of_entry(std::string_view wrong, const std::deque<Entry>& entries) {
  if (entries.empty()) return "; allowed: none";
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return instead_of(wrong, names);
}

// As ours are called: a configuration, a file's name and a certificate can hold it.
bool is_fit(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

template <typename Entry>
void check_entry(const std::string& kind, const Entry& entry, const std::deque<Entry>& there) {
  check_argument(is_fit(entry.name), kWho, [&] {
    return "a " + kind + " is called '" + entry.name + "'; allowed: lower-case letters, digits, - and _";
  });
  check_argument(find_in(there, entry.name) == nullptr, kWho, [&] {
    return "there is a " + kind + " '" + entry.name + "' already; give this one another name";
  });
  const Settings settings(entry.settings);  // refuses a key that is defined twice
  for (const Setting& setting : entry.settings) {
    check_argument(is_allowed(setting, setting.standard), kWho, [&] {
      return "the " + kind + " '" + entry.name + "' has the default " + to_text(setting.standard) + " of " +
             setting.key + "; allowed: " + allowed_values(setting);
    });
  }
}

}  // namespace

const Registry& Registry::standard() {
  static const Registry all = [] {
    Registry registry;
    for (const Algorithm& algorithm : fedstein::algorithms()) registry.add(algorithm);
    for (ModelType& type : standard_model_types()) registry.add(std::move(type));
    return registry;
  }();
  return all;
}

Registry& Registry::add(Algorithm algorithm) {
  check_entry("method", algorithm, algorithms_);
  check_argument(algorithm.make_server && algorithm.make_agent, kWho, [&] {
    return "the method '" + algorithm.name + "' lacks make_server or make_agent";
  });
  algorithms_.push_back(std::move(algorithm));
  return *this;
}

Registry& Registry::add(ModelType type) {
  check_entry("model type", type, model_types_);
  check_argument(type.make != nullptr, kWho, [&] { return "the model type '" + type.name + "' lacks make"; });
  check_argument(!type.labels.empty(), kWho, [&] {
    return "the model type '" + type.name + "' has no labels; it must say what it can learn from";
  });
  model_types_.push_back(std::move(type));
  return *this;
}

const Algorithm* Registry::find_algorithm(std::string_view name) const& {
  return find_in(algorithms_, name);
}

const ModelType* Registry::find_model_type(std::string_view name) const& {
  return find_in(model_types_, name);
}

const Algorithm& Registry::algorithm(std::string_view name) const& {
  const Algorithm* found = find_algorithm(name);
  if (found != nullptr) return *found;
  throw UnknownName("unknown algorithm '" + std::string(name) + "'" + instead_of_entry(name, algorithms_));
}

const ModelType& Registry::model_type(std::string_view name) const& {
  const ModelType* found = find_model_type(name);
  if (found != nullptr) return *found;
  throw UnknownName("there is no model type '" + std::string(name) + "'" + instead_of_entry(name, model_types_));
}

const ModelType* Registry::usual_model_type(LabelKind labels) const {
  switch (labels) {
    case LabelKind::kBinary:
      return find_model_type("logistic-regression");
    case LabelKind::kMulticlass:
      return find_model_type("bnn-classification");
    case LabelKind::kRegression:
      return find_model_type("bnn-regression");
    case LabelKind::kCounts:
      return find_model_type("negative-binomial-regression");
    case LabelKind::kDensity:
      break;
  }
  return nullptr;
}

}  // namespace fedstein
