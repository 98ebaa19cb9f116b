// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/value.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr std::size_t kLongest = 80;  // bytes of a text in a message
constexpr std::size_t kMostItems = 6;

auto place(const ValueTable& table, std::string_view key) {
  return std::find_if(table.begin(), table.end(), [&](const Entry& entry) { return entry.key == key; });
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;  // of UTF-8
}

std::string shown_list(const ValueList& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(list.size(), kMostItems); ++i) text += (i == 0 ? "" : ", ") + shown(list[i]);
  text += list.size() > kMostItems ? ", ...]" : "]";
  return text.size() > 2 * kLongest ? "a long list" : text;
}

bool to_integers(const ValueList& list, SettingValue& out) {
  IntegerList integers;
  for (const Value& item : list) {
    const auto* integer = std::get_if<Index>(&item.data);
    if (integer == nullptr) return false;
    integers.push_back(*integer);
  }
  out = std::move(integers);
  return true;
}

}  // namespace

const Value* find(const ValueTable& table, std::string_view key) {
  const auto found = place(table, key);
  return found == table.end() ? nullptr : &found->value;
}

void set(ValueTable& table, const std::string& key, Value value) {
  const auto found = place(table, key);
  if (found == table.end()) {
    table.push_back({key, std::move(value)});
  } else {
    table[static_cast<std::size_t>(found - table.begin())].value = std::move(value);
  }
}

void drop(ValueTable& table, std::string_view key) {
  std::erase_if(table, [&](const Entry& entry) { return entry.key == key; });
}

bool to_setting(const Value& value, const Setting& setting, SettingValue& out) {
  if (value.list() != nullptr && holds_list(setting)) return to_integers(*value.list(), out);
  if (const auto* flag = std::get_if<bool>(&value.data)) {
    out = *flag;
  } else if (const auto* integer = std::get_if<Index>(&value.data)) {
    if (std::holds_alternative<double>(setting.standard)) {
      out = static_cast<double>(*integer);
    } else {
      out = *integer;
    }
  } else if (const auto* number = std::get_if<double>(&value.data)) {
    out = *number;
  } else if (value.text() != nullptr) {
    out = *value.text();
  } else {
    return false;
  }
  return true;
}

std::string shown(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<Index>(&value.data)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value.data)) return to_text(*number);
  if (value.text() != nullptr) return "'" + shown_text(*value.text()) + "'";
  if (value.list() != nullptr) return shown_list(*value.list());
  return value.table() != nullptr ? "a table" : "a date or time";
}

std::string shown_text(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongest);
  while (end > 0 && end < text.size() && continues_character(text[end])) --end;
  std::string out;
  for (const char byte : text.substr(0, end)) {
    const bool prints = static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f;
    out += prints ? byte : '?';
  }
  return end < text.size() ? out + "..." : out;
}

}  // namespace fedstein
