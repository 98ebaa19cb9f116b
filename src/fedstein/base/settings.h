// SPDX-License-Identifier: Apache-2.0
// Hyperparameters by name: one definition serves defaults, checks, help texts and configuration files alike.
#pragma once

#include <compare>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "fedstein/base/index.h"

namespace fedstein {

using IntegerList = std::vector<Index>;
using SettingValue = std::variant<bool, Index, double, std::string, IntegerList>;

// Of a key in a configuration file: one value, a list of such values, or either; and what a file without it means. The
// class Settings holds single values with a default, and lists only where holds_list() says so.
enum class Plurality { kOne, kList, kOneOrList };
enum class WhenAbsent {
  kStandard,   // the default; an empty list
  kElsewhere,  // as the help says
  kMistake,    // it must be given
};

struct Setting {
  std::string key;
  SettingValue standard;  // the default; its type is the setting's type
  std::string help;       // one line
  // Numbers: allowed values. Text: one of the choices.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};
  bool or_integer = false;  // text: a whole number of at least `least` will do too, such as a column's
  Plurality plurality = Plurality::kOne;
  WhenAbsent when_absent = WhenAbsent::kStandard;
};

// Whether a value of it may itself be a list: of whole numbers, where one of them will do as well, such as the widths
// of a network's layers. Its default is the single number, and a list of one is that one.
bool holds_list(const Setting& setting);

// Stands for "above 0" as the least value of a setting.
inline constexpr double kAboveZero = 1e-300;

std::string to_text(const SettingValue& value);
// "an integer of at least 1", "one of score, svgd, reference", ...
std::string allowed_values(const Setting& setting);
// Whether a value is of the setting's type and within its range or among its choices; a list, where holds_list(): it
// has an item, and all of them are.
bool is_allowed(const Setting& setting, const SettingValue& value);

// Values for a list of definitions, each at its default until set.
class Settings {
 public:
  explicit Settings(std::vector<Setting> definitions);

  // Throws InvalidArgument naming key, value and what is allowed. An integer is taken where a number is asked for.
  void set(const std::string& key, const SettingValue& value);
  // The same from "KEY=TEXT", as a command line has it.
  void set_from_text(const std::string& assignment);

  // Each throws InvalidArgument for a key that is not there or of another type. An integer is a number too.
  bool flag(const std::string& key) const;
  Index integer(const std::string& key) const;
  IntegerList integers(const std::string& key) const;  // one is a list of one
  double number(const std::string& key) const;
  const std::string& text(const std::string& key) const;

  const std::vector<Setting>& definitions() const { return definitions_; }
  bool has(const std::string& key) const { return values_.contains(key); }
  const SettingValue& at(const std::string& key) const;

  // By the values; definitions are the same wherever keys are.
  std::partial_ordering operator<=>(const Settings& other) const { return values_ <=> other.values_; }
  bool operator==(const Settings& other) const { return values_ == other.values_; }

 private:
  std::vector<Setting> definitions_;
  std::map<std::string, SettingValue> values_;
};

}  // namespace fedstein
