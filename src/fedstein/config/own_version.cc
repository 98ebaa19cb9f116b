// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/own_version.h"

#include <algorithm>

#include "fedstein/config/own_names.h"
#include "fedstein/config/preset.h"

namespace fedstein {
namespace {

constexpr const char* kOwnMethod = "c-dsvgd";
constexpr const char* kPriorScales = "model.prior_";

bool is_replaced(const Section& algorithm) {
  const Value* type = find(algorithm.entries, "type");
  if (type == nullptr || type->text() == nullptr) return false;
  return *type->text() == "dsvgd" || *type->text() == "u-dsvgd" || *type->text() == "p-dsvgd";
}

bool is_own_method(const Section& algorithm) {
  const Value* type = find(algorithm.entries, "type");
  return type != nullptr && type->text() != nullptr && *type->text() == kOwnMethod;
}

void drop_paths(std::vector<Override>& overrides, const std::string& beginning) {
  std::erase_if(overrides, [&](const Override& change) {
    return change.path.starts_with(beginning) || change.path.starts_with("sweep." + beginning);
  });
}

// Everywhere but in the tables themselves.
void drop_everywhere(Document& document, const std::string& beginning) {
  drop_paths(document.sweep, beginning);
  drop_paths(document.quick, beginning);
  for (CaseSection& each : document.cases) drop_paths(each.overrides, beginning);
}

// What the paper's preset means by silence, and what an own version keeps.
void write_out_extent(Document& document) {
  if (!is_paper(document)) return;
  for (const PresetDefault& line : paper_tables()) {
    if (line.key != "rounds" && line.key != "trials") continue;
    Section& table = document.tables[line.table];
    if (find(table.entries, line.key) == nullptr) set(table.entries, line.key, {std::get<Index>(line.value)});
  }
}

void replace_methods(Document& document, Mistakes& mistakes) {
  std::vector<Section>& methods = document.algorithms;
  const bool listed = std::any_of(methods.begin(), methods.end(), is_own_method);
  const auto first = std::find_if(methods.begin(), methods.end(), is_replaced);
  if (!listed && first == methods.end()) {
    mistakes.add("lists none of dsvgd, u-dsvgd, p-dsvgd and c-dsvgd; its own version would have no method of ours");
    return;
  }
  for (const Section& each : methods) {
    if (is_replaced(each)) drop_everywhere(document, "algorithm." + label_of(each) + ".");
  }
  if (!listed) {
    Section own{first->line, {{"type", {std::string(kOwnMethod), first->line}}}};
    if (const Value* cases = find(first->entries, "cases")) own.entries.push_back({"cases", *cases});
    *first = std::move(own);
  }
  std::erase_if(methods, is_replaced);
}

bool is_toy(const Document& document) {
  const auto model = document.tables.find("model");
  if (model == document.tables.end()) return false;
  const Value* type = find(model->second.entries, "type");
  return type != nullptr && type->text() != nullptr && type->text()->starts_with("gaussian-mixture-");
}

void drop_settings(Document& document) {
  const bool toy = is_toy(document);
  const auto shared = document.tables.find("hyperparameters");
  if (shared != document.tables.end()) {
    std::erase_if(shared->second.entries, [&](const Entry& entry) { return !toy || entry.key != "particles"; });
    if (shared->second.entries.empty()) document.tables.erase(shared);
  }
  drop_everywhere(document, kPriorScales);
  const auto model = document.tables.find("model");
  if (model == document.tables.end()) return;
  std::erase_if(model->second.entries,
                [](const Entry& entry) { return ("model." + entry.key).starts_with(kPriorScales); });
  if (model->second.entries.empty()) document.tables.erase(model);
}

void append_to(ValueTable& entries, const char* key, std::string_view ending) {
  const Value* value = find(entries, key);
  if (value == nullptr || value->text() == nullptr) return;
  set(entries, key, {*value->text() + std::string(ending), value->line});
}

}  // namespace

void make_own_version(Document& document, Mistakes& mistakes) {
  const auto experiment = document.tables.find("experiment");
  if (experiment == document.tables.end()) return;  // refused by the first reading
  write_out_extent(document);
  ValueTable& entries = experiment->second.entries;
  set(entries, "preset", {std::string(kOwnPreset), experiment->second.line});
  append_to(entries, "name", kOwnEnding);
  append_to(entries, "title", "; fedstein's own defaults");
  replace_methods(document, mistakes);
  drop_settings(document);
}

}  // namespace fedstein
