// SPDX-License-Identifier: Apache-2.0
// What a configuration means where it says nothing. Fedstein's own defaults are those of the definitions; the preset
// "paper" has the settings of the paper in their place: those of tables here, those of methods and models in
// paper_defaults.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/config/document.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

inline constexpr const char* kOwnPreset = "fedstein";
inline constexpr const char* kPaperPreset = "paper";

// Whether the document asks for the paper's settings.
bool is_paper(const Document& document);

// A key of a table that the paper's preset sets.
struct PresetDefault {
  std::string table;
  std::string key;
  SettingValue value;
};
const std::vector<PresetDefault>& paper_tables();

// The default of a key in that document.
const SettingValue& default_in(const Document& document, std::string_view table, const Setting& setting);

// Writes out what a document without it means: the preset's name, and c-dsvgd where no method is listed, so that its
// canonical form says so. A registry without c-dsvgd has no method to run then.
void complete(Document& document, const std::string& preset, const Registry& registry);

}  // namespace fedstein
