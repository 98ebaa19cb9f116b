// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/config/toml_text.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::string toml_string(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += {'\\', byte};
    } else if (code < 0x20 || code == 0x7f) {
      out += "\\u00";
      out += {kDigits[code >> 4U], kDigits[code & 15U]};
    } else {
      out += byte;
    }
  }
  return out + "\"";
}

// TOML tells 1.0 from 1, and so do we.
std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  const std::string text = to_text(number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? key : toml_string(key);
}

std::string toml_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<Index>(&value.data)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value.data)) return number_text(*number);
  if (value.text() != nullptr) return toml_string(*value.text());
  std::string out;
  if (value.list() != nullptr) {
    for (const Value& item : *value.list()) out += (out.empty() ? "" : ", ") + toml_value(item);
    return "[" + out + "]";
  }
  check_argument(value.table() != nullptr, "toml_value", "a date or time has no place in a configuration");
  for (const Entry& entry : *value.table()) {
    out += (out.empty() ? "" : ", ") + toml_key(entry.key) + " = " + toml_value(entry.value);
  }
  return "{" + out + "}";
}

}  // namespace fedstein
