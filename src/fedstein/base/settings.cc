// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "fedstein/base/check.h"
#include "fedstein/base/instead_of.h"

namespace fedstein {
namespace {

std::string range_of(const Setting& setting) {
  std::string text;
  if (setting.least == kAboveZero) {
    text += " above 0";
  } else if (std::isfinite(setting.least)) {
    text += " of at least " + to_text(setting.least);
  }
  if (std::isfinite(setting.most)) text += (text.empty() ? " of at most " : " and at most ") + to_text(setting.most);
  return text;
}

std::optional<Index> whole_number(std::string_view text) {
  Index integer = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, integer);
  if (error != std::errc() || at != end) return {};
  return integer;
}

// "[64, 32]", with or without brackets and blanks.
std::optional<IntegerList> whole_numbers(std::string text) {
  std::erase(text, ' ');
  if (text.size() > 1 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  IntegerList out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto item = whole_number(std::string_view(text).substr(begin, end - begin));
    if (!item) return {};
    out.push_back(*item);
    begin = end + 1;
  }
  return out;
}

// As the type that the setting has; text where it is none of that type, for set() to refuse.
SettingValue typed_like(const Setting& setting, const std::string& text) {
  const SettingValue& standard = setting.standard;
  if (std::holds_alternative<bool>(standard) && (text == "true" || text == "false")) return text == "true";
  const char* end = text.data() + text.size();
  if (std::holds_alternative<Index>(standard)) {
    if (const auto integer = whole_number(text)) return *integer;
    if (holds_list(setting)) {
      if (auto list = whole_numbers(text)) return *std::move(list);
    }
  }
  if (std::holds_alternative<double>(standard)) {
    double number = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, number); error == std::errc() && at == end) {
      return number;
    }
  }
  return text;
}

template <typename Type>
const Type& as(const std::string& key, const SettingValue& value, const char* wanted) {
  const Type* found = std::get_if<Type>(&value);
  check_argument(found != nullptr, "Settings", [&] {
    return "'" + key + "' is " + to_text(value) + ", and is asked for as " + wanted + "; its default has another type";
  });
  return *found;
}

}  // namespace

bool holds_list(const Setting& setting) {
  return setting.plurality == Plurality::kOneOrList && std::holds_alternative<Index>(setting.standard);
}

bool is_allowed(const Setting& setting, const SettingValue& value) {
  const auto in_range = [&](double number) { return number >= setting.least && number <= setting.most; };
  if (const auto* list = std::get_if<IntegerList>(&value)) {
    return holds_list(setting) && !list->empty() &&
           std::all_of(list->begin(), list->end(), [&](Index item) { return in_range(static_cast<double>(item)); });
  }
  const auto* integer = std::get_if<Index>(&value);
  if (value.index() != setting.standard.index() && !(setting.or_integer && integer != nullptr)) return false;
  if (integer != nullptr) return in_range(static_cast<double>(*integer));
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number) && in_range(*number);
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && !setting.choices.empty()) {
    return std::find(setting.choices.begin(), setting.choices.end(), *text) != setting.choices.end();
  }
  return true;
}

std::string to_text(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<Index>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return to_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  std::string items;
  for (const Index item : std::get<IntegerList>(value)) items += (items.empty() ? "" : ", ") + std::to_string(item);
  return "[" + items + "]";
}

std::string allowed_values(const Setting& setting) {
  if (std::holds_alternative<bool>(setting.standard)) return "true or false";
  if (std::holds_alternative<Index>(setting.standard)) return "an integer" + range_of(setting);
  if (std::holds_alternative<double>(setting.standard)) return "a number" + range_of(setting);
  if (setting.choices.empty()) return setting.or_integer ? "a text, or an integer" + range_of(setting) : "a text";
  std::string names;
  for (const std::string& choice : setting.choices) names += (names.empty() ? "" : ", ") + choice;
  return "one of " + names;
}

Settings::Settings(std::vector<Setting> definitions) : definitions_(std::move(definitions)) {
  for (const Setting& setting : definitions_) {
    const bool fresh = values_.emplace(setting.key, setting.standard).second;
    check_argument(fresh, "Settings", [&] { return "the key '" + setting.key + "' is defined twice"; });
  }
}

void Settings::set(const std::string& key, const SettingValue& value) {
  const auto found =
      std::find_if(definitions_.begin(), definitions_.end(), [&](const Setting& s) { return s.key == key; });
  if (found == definitions_.end()) {
    std::vector<std::string> keys;
    for (const Setting& setting : definitions_) keys.push_back(setting.key);
    throw InvalidArgument("unknown key '" + key + "'" + instead_of(key, keys));
  }
  SettingValue typed = value;
  if (const auto* integer = std::get_if<Index>(&value); integer && std::holds_alternative<double>(found->standard)) {
    typed = static_cast<double>(*integer);
  }
  if (const auto* list = std::get_if<IntegerList>(&value); list != nullptr && list->size() == 1) typed = list->front();
  if (!is_allowed(*found, typed)) {
    const auto* text = std::get_if<std::string>(&value);
    throw InvalidArgument(key + " is " + to_text(value) + "; " +
                          (text == nullptr ? "" : did_you_mean(*text, found->choices)) +
                          "allowed: " + allowed_values(*found) + (holds_list(*found) ? ", or a list of such" : ""));
  }
  values_[key] = typed;
}

void Settings::set_from_text(const std::string& assignment) {
  const auto equals = assignment.find('=');
  check_argument(equals != std::string::npos, "--set", [&] { return "'" + assignment + "' is not KEY=VALUE"; });
  const std::string key = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  const auto found =
      std::find_if(definitions_.begin(), definitions_.end(), [&](const Setting& s) { return s.key == key; });
  set(key, found == definitions_.end() ? SettingValue(text) : typed_like(*found, text));
}

bool Settings::flag(const std::string& key) const {
  return as<bool>(key, at(key), "true or false");
}

Index Settings::integer(const std::string& key) const {
  return as<Index>(key, at(key), "an integer");
}

IntegerList Settings::integers(const std::string& key) const {
  if (const auto* list = std::get_if<IntegerList>(&at(key))) return *list;
  return {integer(key)};
}

double Settings::number(const std::string& key) const {
  if (const auto* integer = std::get_if<Index>(&at(key))) return static_cast<double>(*integer);
  return as<double>(key, at(key), "a number");
}

const std::string& Settings::text(const std::string& key) const {
  return as<std::string>(key, at(key), "a text");
}

const SettingValue& Settings::at(const std::string& key) const {
  const auto found = values_.find(key);
  check_argument(found != values_.end(), "Settings", [&] { return "there is no key '" + key + "'"; });
  return found->second;
}

}  // namespace fedstein
