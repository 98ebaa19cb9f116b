// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/preset.h"

namespace fedstein {
namespace {

constexpr const char* kUsualMethod = "c-dsvgd";

}  // namespace

bool is_paper(const Document& document) {
  const auto experiment = document.tables.find("experiment");
  if (experiment == document.tables.end()) return false;
  const Value* preset = find(experiment->second.entries, "preset");
  return preset != nullptr && preset->text() != nullptr && *preset->text() == kPaperPreset;
}

const std::vector<PresetDefault>& paper_tables() {
  static const std::vector<PresetDefault> table = {
      {"experiment", "trials", Index{10}},
      {"experiment", "scaling", std::string("standard")},
      {"federation", "rounds", Index{10}},
      {"federation", "scheduler", std::string("round-robin")},
  };
  return table;
}

const SettingValue& default_in(const Document& document, std::string_view table, const Setting& setting) {
  if (!is_paper(document)) return setting.standard;
  for (const PresetDefault& line : paper_tables()) {
    if (line.table == table && line.key == setting.key) return line.value;
  }
  return setting.standard;
}

void complete(Document& document, const std::string& preset, const Registry& registry) {
  const auto experiment = document.tables.find("experiment");
  if (experiment == document.tables.end()) return;
  Section& section = experiment->second;
  if (find(section.entries, "preset") == nullptr) {
    section.entries.push_back({"preset", Value{.data = preset, .line = section.line}});
  }
  if (!document.algorithms.empty() || registry.find_algorithm(kUsualMethod) == nullptr) return;
  const Value type{.data = std::string(kUsualMethod), .line = section.line};
  document.algorithms.push_back({section.line, {{"type", type}}});
}

}  // namespace fedstein
