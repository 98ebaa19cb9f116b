// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/check_names.h"

#include <algorithm>
#include <set>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"

namespace fedstein {
namespace {

constexpr std::size_t kLongestName = 100;

bool is_folder_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kLongestName && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

bool is_one_line(const std::string& text) {
  return std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

bool is_label(const std::string& text) {
  return !text.empty() && text.size() <= kLongestName && is_one_line(text);
}

void check_labels(const Document& document, Mistakes& mistakes) {
  std::set<std::string> labels;
  for (const Section& section : document.algorithms) {
    const std::string label = label_of(section);
    const Value* value = find(section.entries, "label");
    const Value* shown_value = value == nullptr ? find(section.entries, "type") : value;
    if (shown_value == nullptr || shown_value->text() == nullptr) continue;
    if (!is_label(label)) {
      mistakes.refuse(*shown_value, "algorithm.label", "allowed: 1 to 100 characters on one line");
    } else if (!labels.insert(label).second) {
      mistakes.refuse(*shown_value, "algorithm.label", "another method is called so; give this one a label of its own");
    }
  }
}

void check_cases(const Document& document, Mistakes& mistakes) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const CaseSection& section : document.cases) {
    if (!is_label(section.name)) {
      mistakes.add(
          section.line, "case.name", "is '" + shown_text(section.name) + "'; allowed: 1 to 100 characters on one line");
    } else if (!seen.insert(section.name).second) {
      mistakes.add(section.line, "case.name", "is '" + shown_text(section.name) + "'; another case is called so");
    } else {
      names.push_back(section.name);
    }
  }
  for (const Section& section : document.algorithms) {
    const Value* cases = find(section.entries, "cases");
    if (cases == nullptr || cases->list() == nullptr) continue;
    for (const Value& name : *cases->list()) {
      if (name.text() == nullptr || seen.contains(*name.text())) continue;
      mistakes.refuse(name,
                      "algorithm.cases",
                      "there is no such [[case]]" + instead_of(*name.text(), names, {.shown = shown_text}));
    }
  }
}

}  // namespace

void check_names(const Document& document, Mistakes& mistakes) {
  const auto experiment = document.tables.find("experiment");
  if (experiment != document.tables.end()) {
    const Value* name = find(experiment->second.entries, "name");
    if (name != nullptr && name->text() != nullptr && !is_folder_name(*name->text())) {
      mistakes.refuse(*name, "experiment.name", "allowed: up to 100 letters, digits, - and _, as it names a folder");
    }
    for (const char* key : {"title"}) {
      const Value* value = find(experiment->second.entries, key);
      if (value == nullptr || value->text() == nullptr || is_one_line(*value->text())) continue;
      mistakes.refuse(*value, std::string("experiment.") + key, "allowed: one line of text");
    }
  }
  check_labels(document, mistakes);
  check_cases(document, mistakes);
}

void check_has_methods(const Point& point, const Registry& registry, Mistakes& mistakes) {
  const bool repeats =
      std::any_of(point.swept.begin(), point.swept.end(), [](const SweptKey& key) { return !key.at_first; });
  if (repeats || point.document.algorithms.empty()) return;
  for (const Section& section : point.document.algorithms) {
    if (method_of(section, registry) == nullptr) return;  // said already
  }
  mistakes.add(point.line,
               "case",
               "'" + shown_text(point.name) + "' has no method; none is listed that is not restricted to others");
}

void check_unique_cases(const Plan& plan, Mistakes& mistakes) {
  std::set<std::string> names;
  for (const CasePlan& each : plan.cases) {
    if (names.insert(each.name).second) continue;
    mistakes.add("gives two cases the name '" + shown_text(each.name) +
                 "'; a dataset is listed twice, or names run together");
  }
}

}  // namespace fedstein
