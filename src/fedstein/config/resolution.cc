// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/resolution.h"

#include "fedstein/config/key_lookup.h"
#include "fedstein/config/preset.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

void Effects::note(const Value& value, const std::string& key, bool has_effect, const std::string& why_not) {
  Seen& seen = seen_[{value.line, key}];
  seen.has_effect = seen.has_effect || has_effect;
  if (seen.why_not.empty()) seen.why_not = why_not;
}

void Effects::complain(Mistakes& mistakes) const {
  for (const auto& [place, seen] : seen_) {
    if (!seen.has_effect) mistakes.add(place.first, place.second, "has no effect: " + seen.why_not);
  }
}

TableView::TableView(const Document& document, const std::string& table, const Definitions& definitions)
    : document_(&document), table_(table), definitions_(&definitions.of(table)) {
  const auto found = document.tables.find(table);
  if (found != document.tables.end()) section_ = &found->second;
}

const Value* TableView::given(const std::string& key) const {
  const Setting* setting = find_setting(*definitions_, key);
  check_argument(setting != nullptr, "TableView", [&] { return "there is no key '" + key + "'"; });
  const Value* value = section_ == nullptr ? nullptr : find(section_->entries, key);
  return value != nullptr && accepts(*setting, *value) ? value : nullptr;
}

bool TableView::is_wrong(const std::string& key) const {
  return section_ != nullptr && find(section_->entries, key) != nullptr && given(key) == nullptr;
}

SettingValue TableView::at(const std::string& key) const {
  const Value* value = given(key);
  const Setting& setting = *find_setting(*definitions_, key);
  SettingValue out = default_in(*document_, table_, setting);
  if (value != nullptr) to_setting(*value, setting, out);
  return out;
}

ValueList TableView::list(const std::string& key) const {
  const Value* value = given(key);
  return value == nullptr || value->list() == nullptr ? ValueList{} : *value->list();
}

}  // namespace fedstein
