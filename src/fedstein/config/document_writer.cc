// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/config/definitions.h"
#include "fedstein/config/document.h"
#include "fedstein/config/toml_text.h"

namespace fedstein {
namespace {

// Keys of the table's own in their order, then the others by name.
ValueTable ordered(ValueTable entries, const std::vector<Setting>& definitions) {
  const auto rank = [&](const Entry& entry) {
    const Setting* setting = find_setting(definitions, entry.key);
    return setting == nullptr ? static_cast<std::ptrdiff_t>(definitions.size()) : setting - definitions.data();
  };
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.key < b.key;
  });
  return entries;
}

void write_section(const std::string& heading, const ValueTable& entries, std::string& out) {
  out += (out.empty() ? "" : "\n") + heading + "\n";
  for (const Entry& entry : entries) out += toml_key(entry.key) + " = " + toml_value(entry.value) + "\n";
}

ValueTable entries_of(const std::vector<Override>& overrides) {
  ValueTable entries;
  for (const Override& each : overrides) entries.push_back({each.path, each.value});
  return entries;
}

}  // namespace

std::string write_document(const Document& document) {
  std::string out;
  const auto repeated = [&](const std::string& name, const std::vector<Section>& sections) {
    for (const Section& section : sections) {
      write_section("[[" + name + "]]", ordered(section.entries, table_definitions(name)), out);
    }
  };
  for (const TableDefinition& table : configuration_tables()) {
    const auto found = document.tables.find(table.name);
    if (found != document.tables.end() && !found->second.entries.empty()) {
      write_section("[" + table.name + "]", ordered(found->second.entries, table.keys), out);
    }
    if (table.name == "algorithm") repeated(table.name, document.algorithms);
    if (table.name == "figure") repeated(table.name, document.figures);
    if (table.name == "sweep" && !document.sweep.empty()) write_section("[sweep]", entries_of(document.sweep), out);
    if (table.name != "case") continue;
    for (const CaseSection& each : document.cases) {
      ValueTable entries = entries_of(each.overrides);
      entries.insert(entries.begin(), {"name", Value{.data = each.name, .line = each.line}});
      write_section("[[case]]", entries, out);
    }
  }
  return out;
}

}  // namespace fedstein
