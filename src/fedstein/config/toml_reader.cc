// SPDX-License-Identifier: Apache-2.0
// The only file that sees toml++, which takes long to compile.
#include <toml++/toml.h>

#include <algorithm>

#include "fedstein/base/visible.h"
#include "fedstein/config/toml_text.h"

namespace fedstein {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
// Every level of tables that a key opens costs a dot. The parser recurses into them without a limit of its own.
constexpr Index kMostDots = 3000;
// Far beyond every document there is. Whoever goes through a document recurses into it, here and later: a depth that
// only the dots bound needs more stack than a thread, or a build under sanitizers, has.
constexpr int kMostDepth = 64;

struct TooDeep {
  Index line;
};

struct Placed {
  toml::source_position at;
  Entry entry;
};

Index line_of(const toml::source_region& region) {
  return std::max<Index>(1, static_cast<Index>(region.begin.line));
}

Value convert(const toml::node& node, int depth);

// toml++ sorts keys by name; the order of the document counts for sweeps.
ValueTable convert_table(const toml::table& table, int depth) {
  std::vector<Placed> placed;
  for (auto&& [key, node] : table) {
    Value value = convert(node, depth);
    if (!node.is_array_of_tables()) value.line = line_of(key.source());
    placed.push_back({key.source().begin, {std::string(key.str()), std::move(value)}});
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.at < b.at; });
  ValueTable out;
  for (Placed& each : placed) out.push_back(std::move(each.entry));
  return out;
}

// depth: of the tables and lists around the node.
Value convert(const toml::node& node, int depth) {
  Value out;
  out.line = line_of(node.source());
  if (depth > kMostDepth) throw TooDeep{out.line};
  if (const auto* table = node.as_table()) {
    out.data = std::make_shared<const ValueTable>(convert_table(*table, depth + 1));
  } else if (const auto* array = node.as_array()) {
    ValueList list;
    for (const toml::node& item : *array) list.push_back(convert(item, depth + 1));
    out.data = std::move(list);
  } else if (const auto* flag = node.as_boolean()) {
    out.data = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    out.data = static_cast<Index>(integer->get());
  } else if (const auto* number = node.as_floating_point()) {
    out.data = number->get();
  } else if (const auto* text = node.as_string()) {
    out.data = text->get();
  }
  return out;
}

bool is_bare_word(std::string_view text) {
  if (text.empty() || std::string_view("\"'[{").find(text.front()) != std::string_view::npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(text, at, character);
    if (bytes == 0 || is_hidden(character)) return false;
    at += bytes;
  }
  return true;
}

}  // namespace

std::optional<ValueTable> read_toml(std::string_view document, Mistakes& mistakes) {
  if (document.size() > kMostBytes) {
    mistakes.add("has " + std::to_string(document.size()) + " bytes; at most " + std::to_string(kMostBytes) +
                 " are allowed");
    return {};
  }
  if (std::count(document.begin(), document.end(), '.') > kMostDots) {
    mistakes.add("holds more than " + std::to_string(kMostDots) + " dots; no key is that deep and no list that long");
    return {};
  }
  try {
    return convert_table(toml::parse(document), 1);
  } catch (const toml::parse_error& error) {
    mistakes.add(line_of(error.source()), "", "not TOML: " + shown_text(error.description()));
    return {};
  } catch (const TooDeep& place) {
    mistakes.add(
        place.line, "", "holds tables or lists more than " + std::to_string(kMostDepth) + " deep; no key is that deep");
    return {};
  }
}

std::optional<Value> read_toml_value(std::string_view text) {
  if (text.size() > kMostBytes || std::count(text.begin(), text.end(), '.') > kMostDots) return {};
  try {
    const toml::table parsed = toml::parse("value = " + std::string(text));
    if (parsed.size() == 1 && parsed.contains("value") && text.find('\n') == std::string_view::npos) {
      Value value = convert(*parsed.get("value"), 1);
      value.line = kSetOption;
      return value;
    }
  } catch (const toml::parse_error&) {
    // A bare word, or a mistake.
  } catch (const TooDeep&) {
    return {};
  }
  if (!is_bare_word(text)) return {};
  return Value{.data = std::string(text), .line = kSetOption};
}

}  // namespace fedstein
