// SPDX-License-Identifier: Apache-2.0
// A configuration as a tree of values that know the line they stand in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fedstein/base/settings.h"

namespace fedstein {

inline constexpr Index kSetOption = 0;  // the "line" of a value that came from --set

struct Value;
struct Entry;
using ValueList = std::vector<Value>;
using ValueTable = std::vector<Entry>;  // in the order of the document, keys unique

// monostate: something TOML has and we have no use for, a date or a time. A table inside is never changed, so copies
// share it.
struct Value {
  std::variant<std::monostate, bool, Index, double, std::string, ValueList, std::shared_ptr<const ValueTable>> data =
      {};
  Index line = kSetOption;

  const std::string* text() const { return std::get_if<std::string>(&data); }
  const ValueList* list() const { return std::get_if<ValueList>(&data); }
  const ValueTable* table() const {
    const auto* shared = std::get_if<std::shared_ptr<const ValueTable>>(&data);
    return shared == nullptr ? nullptr : shared->get();
  }
};

struct Entry {
  std::string key;
  Value value;
};

// Null when there is no such key.
const Value* find(const ValueTable& table, std::string_view key);
void set(ValueTable& table, const std::string& key, Value value);
void drop(ValueTable& table, std::string_view key);

// The value as a setting's: an integer becomes a number where one is asked for. False when it is a table, a date, or
// a list that is none of the setting's single values (holds_list()).
bool to_setting(const Value& value, const Setting& setting, SettingValue& out);

// A value or a text as a message shows it: on one line, not longer than a sentence bears.
std::string shown(const Value& value);
std::string shown_text(std::string_view text);

}  // namespace fedstein
