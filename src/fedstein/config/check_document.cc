// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/check_document.h"

#include <algorithm>
#include <set>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/key_lookup.h"

namespace fedstein {
namespace {

// The same for all cases of an experiment.
bool is_common(const Target& target) {
  static const std::set<std::string> keys = {"name", "title", "trials", "seed", "claims"};
  return target.kind == Target::Kind::kTable && target.table == "experiment" && keys.contains(target.key);
}

class Checker {
 public:
  Checker(const Definitions& definitions, const Document& document, Mistakes& mistakes)
      : definitions_(definitions), document_(document), mistakes_(mistakes) {}

  void section(const std::string& table, const Section& section, const std::vector<Setting>& own) {
    for (const Setting& setting : own) {
      if (setting.when_absent != WhenAbsent::kMistake || find(section.entries, setting.key) != nullptr) continue;
      mistakes_.add(section.line, table + "." + setting.key, "is missing; it must be given: " + allowed_text(setting));
    }
    for (const Entry& entry : section.entries) {
      const Candidates candidates = table == "algorithm"
                                        ? candidates_in_algorithm(definitions_, section, entry.key)
                                        : candidates_in_table(definitions_, document_, table, entry.key);
      value(candidates, table + "." + entry.key, entry.key, entry.value);
    }
  }

  void sweep(const std::string& path, const Value& values, const std::string& shown_path) {
    const auto target = this->target(path, values, shown_path);
    if (!target) return;
    const bool plain = target->kind == Target::Kind::kTable || target->kind == Target::Kind::kAlgorithm;
    if (!plain || is_common(*target)) {
      mistakes_.add(values.line, shown_path, "cannot be swept: it is the same for all cases of an experiment");
      return;
    }
    const Candidates candidates = this->candidates(*target);
    const auto takes_lists = [](const Setting& setting) {  // and not a list as one of its values
      return setting.plurality != Plurality::kOne && !holds_list(setting);
    };
    if (!candidates.settings.empty() && takes_lists(*candidates.settings.front())) {
      mistakes_.add(values.line, shown_path, "cannot be swept: it takes a list itself; use [[case]]");
    } else if (values.list() == nullptr) {
      mistakes_.refuse(values, shown_path, "allowed: a list of the values to try");
    } else {
      std::set<std::string> seen;
      for (const Value& each : *values.list()) {
        value(candidates, shown_path, target->key, each);
        if (!seen.insert(shown(each)).second) mistakes_.add(values.line, shown_path, "holds " + shown(each) + " twice");
      }
    }
  }

  // in_case: an override of a [[case]], not of [quick] or --set.
  void change(const Override& change, bool in_case, const std::string& prefix) {
    const std::string shown_path = prefix + change.path;
    const auto target = this->target(change.path, change.value, shown_path);
    if (!target) return;
    if (target->kind == Target::Kind::kSweep) return sweep(target->key, change.value, shown_path);
    if (target->kind == Target::Kind::kCase) {
      if (!in_case) return this->change({target->key, change.value}, true, prefix + "case.");
      mistakes_.add(change.value.line, shown_path, "is a case in a case; name the key itself");
    } else if (in_case && is_common(*target)) {
      mistakes_.add(change.value.line, shown_path, "is the same for all cases; set it in [experiment]");
    } else {
      value(candidates(*target), shown_path, target->key, change.value);
    }
  }

 private:
  std::optional<Target> target(const std::string& path, const Value& value, const std::string& shown_path) {
    auto found = find_target(document_, path);
    if (found) return found;
    if (path.starts_with("algorithm.")) {
      mistakes_.add(value.line, shown_path, "names no listed method; write algorithm.LABEL.KEY" + labels_like(path));
    } else if (path.starts_with("case.")) {
      mistakes_.add(value.line, shown_path, "names no [[case]]; write case.NAME.TABLE.KEY" + cases_like(path));
    } else {
      const std::string meant = whole_path_of(definitions_, path);
      mistakes_.add(value.line,
                    shown_path,
                    "is no path to a key; " + (meant.empty() ? "" : "did you mean '" + meant + "'? ") +
                        "allowed: TABLE.KEY with a table experiment, data, model, federation, evaluation or "
                        "hyperparameters, algorithm.LABEL.KEY, or sweep.TABLE.KEY");
    }
    return {};
  }

  // The labels of the listed methods, and which one was meant: a path holds it behind "algorithm.".
  std::string labels_like(const std::string& path) const {
    std::vector<std::string> labels;
    for (const Section& each : document_.algorithms) labels.push_back(label_of(each));
    return instead_of(named_in(path), labels, {.lead = "listed: ", .shown = shown_text});
  }

  std::string cases_like(const std::string& path) const {
    std::vector<std::string> names;
    for (const CaseSection& each : document_.cases) names.push_back(each.name);
    if (names.empty()) return "; the experiment has none";
    return instead_of(named_in(path), names, {.lead = "there are: ", .shown = shown_text, .between = "; "});
  }

  static std::string named_in(const std::string& path) {
    const std::size_t first = path.find('.') + 1;
    return path.substr(first, path.find('.', first) - first);
  }

  // Of a table's or a method's key.
  Candidates candidates(const Target& target) const {
    if (target.kind == Target::Kind::kTable)
      return candidates_in_table(definitions_, document_, target.table, target.key);
    Candidates out = candidates_in_algorithm(definitions_, document_.algorithms[target.number], target.key);
    // What a method is cannot change from case to case.
    if (target.key == "type" || target.key == "label" || target.key == "cases") out.settings.clear();
    return out;
  }

  void value(const Candidates& candidates, const std::string& path, const std::string& key, const Value& value) {
    if (candidates.settings.empty()) {
      if (std::find(candidates.names.begin(), candidates.names.end(), key) != candidates.names.end()) {
        mistakes_.add(value.line, path, "is the same for all cases; change it where the method is listed");
        return;
      }
      const bool shared = path.find("hyperparameters.") != std::string::npos;
      // A slip of the keys, or another program's word for one of this table, is nearer than another table.
      const bool is_near =
          !names_like(key, candidates.names).empty() ||
          std::find(candidates.names.begin(), candidates.names.end(), word_for(key)) != candidates.names.end();
      const bool is_of_methods = shared || path.starts_with("algorithm.");
      const bool is_here = is_near || (is_of_methods && is_of_other_methods(key));
      const std::string elsewhere = is_here ? "" : other_place_of(definitions_, key);
      mistakes_.add(value.line,
                    path,
                    (shared ? "is a setting of no listed method" : "is no key of this table") +
                        (elsewhere.empty() ? instead_of_key(key, candidates.names) : "; " + elsewhere));
      return;
    }
    if (any_accepts(candidates, value)) return;
    mistakes_.refuse(value, path, refusal(*candidates.settings.front(), value));
  }

  bool is_of_other_methods(const std::string& key) const {
    const auto& all = definitions_.registry().algorithms();
    return std::any_of(
        all.begin(), all.end(), [&](const Algorithm& each) { return find_setting(each.settings, key) != nullptr; });
  }

  const Definitions& definitions_;
  const Document& document_;
  Mistakes& mistakes_;
};

}  // namespace

void check_document(const Definitions& definitions,
                    const Document& document,
                    const std::vector<Override>& changes,
                    Mistakes& mistakes) {
  Checker checker(definitions, document, mistakes);
  for (const TableDefinition& table : definitions.tables()) {
    const auto found = document.tables.find(table.name);
    if (found != document.tables.end()) checker.section(table.name, found->second, table.keys);
  }
  if (!document.tables.contains("experiment")) mistakes.add("has no table [experiment]; it must name the experiment");
  if (document.algorithms.empty()) mistakes.add("has no [[algorithm]]; at least one method must be listed");
  for (const Section& each : document.algorithms) checker.section("algorithm", each, definitions.of("algorithm"));
  for (const Section& each : document.figures) checker.section("figure", each, definitions.of("figure"));
  for (const Override& each : document.sweep) checker.sweep(each.path, each.value, "sweep." + each.path);
  for (const CaseSection& each : document.cases) {
    for (const Override& change : each.overrides) {
      checker.change(change, true, "case.");
      if (is_swept(sweep_of(document, each), change.path)) {
        mistakes.refuse(change.value, "case." + change.path, "but it is swept; say \"sweep." + change.path + "\" = []");
      }
    }
  }
  for (const Override& change : document.quick) checker.change(change, false, "quick.");
  for (const Override& change : changes) checker.change(change, false, "");
}

void check_not_swept(const Document& document, const std::vector<Override>& changes, Mistakes& mistakes) {
  for (const Override& change : changes) {
    bool swept = is_swept(document.sweep, change.path);
    for (const CaseSection& each : document.cases) swept = swept || is_swept(sweep_of(document, each), change.path);
    if (!swept) continue;
    mistakes.refuse(change.value, change.path, "but the experiment sweeps it; set sweep." + change.path + " instead");
  }
}

}  // namespace fedstein
