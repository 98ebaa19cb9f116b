// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/selection.h"

#include <algorithm>

#include "fedstein/base/instead_of.h"

namespace fedstein {
namespace {

using Patterns = std::vector<std::string>;

bool fits_one_of(const Patterns& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& one) { return fits(one, name); });
}

// A pattern that fits none of the names is a mistake.
void check_patterns(const std::string& option,
                    const Patterns& patterns,
                    const std::vector<std::string>& names,
                    Mistakes& mistakes) {
  for (const std::string& pattern : patterns) {
    const auto suits = [&](const std::string& name) { return fits(pattern, name); };
    if (std::any_of(names.begin(), names.end(), suits)) continue;
    const KnownNames how{.lead = "there are: ", .shown = shown_text, .between = "; "};
    const std::string known = names.empty() ? "; the experiment has none" : instead_of(pattern, names, how);
    mistakes.add(option + " '" + shown_text(pattern) + "' fits no name" + known);
  }
}

// The list of datasets, each of which is a case; null where there is one dataset or none.
Value* dataset_list(Document& document) {
  const auto experiment = document.tables.find("experiment");
  if (experiment == document.tables.end()) return nullptr;
  for (Entry& entry : experiment->second.entries) {
    if (entry.key == "dataset" && entry.value.list() != nullptr) return &entry.value;
  }
  return nullptr;
}

std::vector<std::string> texts_in(const ValueList& list) {
  std::vector<std::string> out;
  for (const Value& each : list) {
    if (each.text() != nullptr) out.push_back(*each.text());
  }
  return out;
}

}  // namespace

bool fits(std::string_view pattern, std::string_view text) {
  // The last star takes in one more character whenever what follows it does not fit: no backtracking further than that.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void select_cases(const Patterns& patterns, Document& document, Mistakes& mistakes) {
  if (patterns.empty()) return;
  std::vector<std::string> cases;
  for (const CaseSection& each : document.cases) cases.push_back(each.name);
  Value* list = dataset_list(document);
  const std::vector<std::string> datasets = list == nullptr ? std::vector<std::string>() : texts_in(*list->list());
  std::vector<std::string> names = cases;
  names.insert(names.end(), datasets.begin(), datasets.end());
  check_patterns("--case", patterns, names, mistakes);
  const auto is_meant = [&](const std::string& name) { return fits_one_of(patterns, name); };
  // Whoever names datasets only wants all cases of them, and the other way round.
  if (std::any_of(cases.begin(), cases.end(), is_meant)) {
    std::erase_if(document.cases, [&](const CaseSection& each) { return !is_meant(each.name); });
  }
  if (std::any_of(datasets.begin(), datasets.end(), is_meant)) {
    std::erase_if(std::get<ValueList>(list->data),
                  [&](const Value& each) { return each.text() != nullptr && !is_meant(*each.text()); });
  }
}

void select_algorithms(const Patterns& patterns, Document& document, Mistakes& mistakes) {
  if (patterns.empty()) return;
  std::vector<std::string> labels;
  for (const Section& each : document.algorithms) labels.push_back(label_of(each));
  check_patterns("--method", patterns, labels, mistakes);
  std::erase_if(document.algorithms, [&](const Section& each) { return !fits_one_of(patterns, label_of(each)); });
}

}  // namespace fedstein
