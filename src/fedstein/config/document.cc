// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/document.h"

#include <algorithm>

#include "fedstein/config/definitions.h"

namespace fedstein {
namespace {

const TableDefinition* find_table(const std::string& name) {
  for (const TableDefinition& table : configuration_tables()) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

// Tables inside become longer paths; a value that is a table nowhere has an end.
void flatten(const std::string& prefix, const ValueTable& table, std::vector<Override>& out, Mistakes& mistakes) {
  for (const Entry& entry : table) {
    const std::string path = prefix.empty() ? entry.key : prefix + "." + entry.key;
    if (entry.value.table() != nullptr) {
      flatten(path, *entry.value.table(), out, mistakes);
    } else if (find(out, path) != nullptr) {
      mistakes.add(entry.value.line, path, "is given twice, as a dotted key and inside a table");
    } else {
      out.push_back({path, entry.value});
    }
  }
}

std::vector<Section> repeated_sections(const Entry& entry, Mistakes& mistakes) {
  const std::string plea = "is written otherwise; write [[" + entry.key + "]], once for each";
  std::vector<Section> out;
  if (entry.value.list() == nullptr) {
    mistakes.add(entry.value.line, entry.key, plea);
    return out;
  }
  for (const Value& item : *entry.value.list()) {
    if (item.table() == nullptr) {
      mistakes.add(item.line, entry.key, plea);
    } else {
      out.push_back({item.line, *item.table()});
    }
  }
  return out;
}

CaseSection read_case(const Section& section, Mistakes& mistakes) {
  CaseSection out{.name = {}, .line = section.line};
  const Value* name = find(section.entries, "name");
  if (name == nullptr) {
    mistakes.add(section.line, "case.name", "is missing; every [[case]] needs a name of its own");
  } else if (name->text() == nullptr) {
    mistakes.refuse(*name, "case.name", "allowed: a text");
  } else {
    out.name = *name->text();
  }
  ValueTable rest = section.entries;
  drop(rest, "name");
  flatten("", rest, out.overrides, mistakes);
  return out;
}

void read_table(const Entry& entry, Document& out, Mistakes& mistakes) {
  const ValueTable* table = entry.value.table();
  if (table == nullptr) {
    mistakes.add(entry.value.line, entry.key, "is written otherwise; write one table [" + entry.key + "]");
  } else if (entry.key == "sweep") {
    flatten("", *table, out.sweep, mistakes);
  } else if (entry.key == "quick") {
    flatten("", *table, out.quick, mistakes);
    out.quick_line = entry.value.line;
  } else {
    out.tables[entry.key] = {entry.value.line, *table};
  }
}

}  // namespace

Document read_document(const ValueTable& root, Mistakes& mistakes) {
  Document out;
  for (const Entry& entry : root) {
    const TableDefinition* known = find_table(entry.key);
    if (known == nullptr) {
      std::vector<std::string> names;
      for (const TableDefinition& table : configuration_tables()) names.push_back(table.name);
      if (entry.key != "server") names.emplace_back("server");  // of a federation's file; read elsewhere
      mistakes.add(entry.value.line, entry.key, "is no table" + instead_of_key(entry.key, names));
    } else if (!known->repeated) {
      read_table(entry, out, mistakes);
    } else {
      const std::vector<Section> sections = repeated_sections(entry, mistakes);
      if (entry.key == "algorithm") out.algorithms = sections;
      if (entry.key == "figure") out.figures = sections;
      if (entry.key != "case") continue;
      for (const Section& section : sections) out.cases.push_back(read_case(section, mistakes));
    }
  }
  return out;
}

std::string label_of(const Section& algorithm) {
  for (const char* key : {"label", "type"}) {
    const Value* value = find(algorithm.entries, key);
    if (value != nullptr) return value->text() == nullptr ? "" : *value->text();
  }
  return "";
}

const Override* find(const std::vector<Override>& overrides, const std::string& path) {
  const auto found =
      std::find_if(overrides.begin(), overrides.end(), [&](const Override& each) { return each.path == path; });
  return found == overrides.end() ? nullptr : &*found;
}

void set(std::vector<Override>& overrides, const Override& change) {
  const auto found =
      std::find_if(overrides.begin(), overrides.end(), [&](const Override& each) { return each.path == change.path; });
  if (found == overrides.end()) {
    overrides.push_back(change);
  } else {
    found->value = change.value;
  }
}

}  // namespace fedstein
