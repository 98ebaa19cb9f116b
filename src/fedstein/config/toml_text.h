// SPDX-License-Identifier: Apache-2.0
// TOML to values and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fedstein/config/mistakes.h"
#include "fedstein/config/value.h"

namespace fedstein {

// The tables of a document. A document that is not TOML adds one mistake and gives nothing.
std::optional<ValueTable> read_toml(std::string_view document, Mistakes& mistakes);

// The right side of --set KEY=VALUE: a TOML value, or else the bare word itself as a text. Nothing when it is neither
// (a quote or bracket that does not close, bytes that do not print).
std::optional<Value> read_toml_value(std::string_view text);

// A value or a key as TOML writes it; reads back as the same.
std::string toml_value(const Value& value);
std::string toml_key(const std::string& key);

}  // namespace fedstein
