// SPDX-License-Identifier: Apache-2.0
// Paths such as "federation.rounds", "algorithm.dsvgd.particles", "sweep.experiment.agents", "case.NAME.PATH".
#include <algorithm>

#include "fedstein/config/document.h"

namespace fedstein {
namespace {

constexpr const char* kTables[] = {"experiment", "data", "model", "federation", "evaluation", "hyperparameters"};

// The rest of the path behind "PREFIX."; nothing when it begins otherwise or ends there.
std::optional<std::string> behind(const std::string& path, const std::string& prefix) {
  if (path.size() <= prefix.size() + 1 || !path.starts_with(prefix) || path[prefix.size()] != '.') return {};
  return path.substr(prefix.size() + 1);
}

void drop(std::vector<Override>& overrides, const std::string& path) {
  std::erase_if(overrides, [&](const Override& each) { return each.path == path; });
}

}  // namespace

std::optional<Target> find_target(const Document& document, const std::string& path) {
  for (const char* table : kTables) {
    if (const auto key = behind(path, table)) return Target{.kind = Target::Kind::kTable, .table = table, .key = *key};
  }
  if (const auto rest = behind(path, "sweep")) return Target{.kind = Target::Kind::kSweep, .key = *rest};
  // Labels and names may hold dots themselves: the longest one that fits is meant.
  std::optional<Target> best;
  std::size_t longest = 0;
  const auto consider = [&](Target::Kind kind, std::size_t number, const std::string& word, const std::string& name) {
    const auto key = behind(path, word + "." + name);
    if (!key || name.empty() || name.size() < longest) return;
    longest = name.size();
    best = Target{.kind = kind, .number = number, .key = *key};
  };
  for (std::size_t i = 0; i < document.algorithms.size(); ++i) {
    consider(Target::Kind::kAlgorithm, i, "algorithm", label_of(document.algorithms[i]));
  }
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    consider(Target::Kind::kCase, i, "case", document.cases[i].name);
  }
  return best;
}

void apply(Document& document, const Override& change) {
  const auto target = find_target(document, change.path);
  if (!target) return;  // the check of paths says so
  switch (target->kind) {
    case Target::Kind::kTable: {
      Section& section = document.tables[target->table];
      if (section.line == 0) section.line = std::max<Index>(change.value.line, 1);
      set(section.entries, target->key, change.value);
      break;
    }
    case Target::Kind::kAlgorithm:
      set(document.algorithms[target->number].entries, target->key, change.value);
      break;
    case Target::Kind::kSweep:
      set(document.sweep, {target->key, change.value});
      break;
    case Target::Kind::kCase:
      set(document.cases[target->number].overrides, {target->key, change.value});
      break;
  }
}

void apply_all(Document& document, const std::vector<Override>& changes) {
  for (const bool of_single_cases : {false, true}) {
    for (const Override& change : changes) {
      if (change.path.starts_with("case.") != of_single_cases) continue;
      apply(document, change);
      for (CaseSection& each : document.cases) drop(each.overrides, change.path);
    }
  }
}

bool is_swept(const std::vector<Override>& sweep, const std::string& path) {
  const Override* swept = find(sweep, path);
  return swept != nullptr && (swept->value.list() == nullptr || !swept->value.list()->empty());
}

std::vector<Override> sweep_of(const Document& document, const CaseSection& section) {
  std::vector<Override> sweep = document.sweep;
  for (const Override& change : section.overrides) {
    if (const auto path = behind(change.path, "sweep")) set(sweep, {*path, change.value});
  }
  return sweep;
}

}  // namespace fedstein
