// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/selection.h"

#include <algorithm>
#include <functional>

namespace fedstein {
namespace {

constexpr std::size_t kMostNamed = 12;

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) out += (i == 0 ? "" : "; ") + names[i];
  return names.size() > kMostNamed ? out + "; and " + std::to_string(names.size() - kMostNamed) + " more" : out;
}

template <typename Item>
void select(const std::string& option,
            const std::vector<std::string>& patterns,
            const std::function<std::string(const Item&)>& name_of,
            std::vector<Item>& items,
            Mistakes& mistakes) {
  if (patterns.empty()) return;
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(name_of(item));
  for (const std::string& pattern : patterns) {
    const auto suits = [&](const std::string& name) { return fits(pattern, name); };
    if (std::any_of(names.begin(), names.end(), suits)) continue;
    const std::string known = names.empty() ? "the experiment has none" : "there are: " + listed(names);
    mistakes.add(option + " '" + shown_text(pattern) + "' fits no name; " + known);
  }
  std::erase_if(items, [&](const Item& item) {
    return std::none_of(patterns.begin(), patterns.end(), [&](const auto& one) { return fits(one, name_of(item)); });
  });
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

void select_cases(const std::vector<std::string>& patterns, Document& document, Mistakes& mistakes) {
  select<CaseSection>(
      "--case", patterns, [](const CaseSection& one) { return one.name; }, document.cases, mistakes);
}

void select_algorithms(const std::vector<std::string>& patterns, Document& document, Mistakes& mistakes) {
  select<Section>("--method", patterns, label_of, document.algorithms, mistakes);
}

}  // namespace fedstein
