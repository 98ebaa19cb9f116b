// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "fedstein/base/text.h"
#include "fedstein/config/names.h"
#include "fedstein/config/parse.h"
#include "fedstein/config/resolve.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using Row = std::vector<std::string>;

// Columns padded to their widest cell; the last one is left ragged.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += " " + row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 1, ' ');
    }
    out += line + "\n";
  }
  return out;
}

std::string plain(const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? to_text(value) : *text;
}

// A star marks what is not the definition's default.
std::string marked(const Settings& settings, const std::string& key) {
  const SettingValue& value = settings.at(key);
  const auto& definitions = settings.definitions();
  const auto defined =
      std::find_if(definitions.begin(), definitions.end(), [&](const Setting& setting) { return setting.key == key; });
  return plain(value) + (value == defined->standard ? "" : "*");
}

std::string settings_text(const Settings& settings) {
  std::string out;
  for (const Setting& setting : settings.definitions()) {
    out += (out.empty() ? "" : "  ") + setting.key + "=" + marked(settings, setting.key);
  }
  return out;
}

// "384k"; with a gap " " and a unit behind it "2.0 MB"
std::string round_number(double value, const std::string& gap = "") {
  constexpr std::array<const char*, 7> kUnits = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fixed_text(value, value < 10 && unit > 0 ? 1 : 0) + gap + kUnits[unit];
}

std::string partition_text(const PartitionOptions& partition) {
  std::string name(partition_name(partition.kind));
  switch (partition.kind) {
    case PartitionKind::kLabelFractions:
      return name + " " + to_text(partition.heavy_share);
    case PartitionKind::kClassesPerAgent:
      return name + " " + std::to_string(partition.classes);
    case PartitionKind::kDirichlet:
    case PartitionKind::kQuantity:
      return name + " " + to_text(partition.alpha);
    case PartitionKind::kIid:
    case PartitionKind::kByGroup:
      break;
  }
  return name;
}

std::string division_text(const CasePlan& plan) {
  std::string out = partition_text(plan.partition);
  if (plan.dataset.unseen_class) out += ", without class " + std::to_string(*plan.dataset.unseen_class);
  if (plan.dataset.unseen_group) out += ", without group " + std::to_string(*plan.dataset.unseen_group);
  if (plan.feature_noise > 0) out += ", feature noise " + to_text(plan.feature_noise);
  if (plan.validation.share > 0) out += ", " + to_text(plan.validation.share) + " kept back";
  return out;
}

Row case_row(const CasePlan& plan) {
  const DatasetPlan& data = plan.dataset;
  const bool toy = plan.model.labels == LabelKind::kDensity;
  const std::string agents = plan.partition.agents == 0 ? "one per group" : std::to_string(plan.partition.agents);
  return {plan.name,
          toy                       ? "-"
          : data.standard_split     ? "standard"
          : !data.test_file.empty() ? "all, test file"
                                    : "random " + to_text(data.test_fraction),
          toy                     ? "-"
          : data.standard_scaling ? "standard"
                                  : scaling_name(data.scaling),
          toy ? "by factor" : division_text(plan),
          agents,
          plan.model.type + "  " + settings_text(plan.model.settings)};
}

std::string scheduler_text(const AlgorithmPlan& method) {
  if (method.alone) return "agent " + std::to_string(*method.alone) + " alone";
  if (method.method->centralised) return "centralised";
  if (method.scheduler.kind != "fraction") return method.scheduler.kind;
  return "fraction " + to_text(method.scheduler.fraction);
}

// A column for each method, a row for each setting that any of them has.
std::string methods_table(const std::vector<AlgorithmPlan>& methods) {
  std::vector<Row> rows = {{"label"}, {"type"}, {"rounds"}, {"scheduler"}};
  for (const AlgorithmPlan& method : methods) {
    rows[0].push_back(method.label);
    rows[1].push_back(method.method->name);
    rows[2].push_back(std::to_string(method.rounds));
    rows[3].push_back(scheduler_text(method));
  }
  std::set<std::string> seen;
  for (const AlgorithmPlan& first : methods) {
    for (const Setting& setting : first.settings.definitions()) {
      if (!seen.insert(setting.key).second) continue;
      Row row = {setting.key};
      for (const AlgorithmPlan& method : methods) {
        row.push_back(method.settings.has(setting.key) ? marked(method.settings, setting.key) : "-");
      }
      rows.push_back(row);
    }
  }
  return aligned(rows);
}

// Methods that could take several agents a round and take one of several, by label.
std::set<std::string> methods_with_one_agent(const Plan& plan) {
  std::set<std::string> labels;
  for (const CasePlan& each : plan.cases) {
    for (const AlgorithmPlan& algorithm : each.algorithms) {
      if (algorithm.method->centralised || !algorithm.method->parallel || algorithm.alone) continue;
      const bool is_one = each.partition.agents != 1 && !takes_several(algorithm.scheduler, each.partition.agents);
      if (is_one && each.model.labels != LabelKind::kDensity) labels.insert(algorithm.label);
    }
  }
  return labels;
}

}  // namespace

std::vector<std::string> remarks_on(const Plan& plan) {
  std::string labels;
  for (const std::string& label : methods_with_one_agent(plan)) labels += (labels.empty() ? "" : ", ") + label;
  if (labels.empty()) return {};
  return {labels +
          ": one agent takes part in each round, and there is nobody to combine it with; scheduler = \"all\" takes all "
          "agents"};
}

std::string describe(const Plan& plan) {
  std::string out = plan.name + (plan.title.empty() ? "" : ": " + plan.title) + "\n";
  out += "trials " + std::to_string(plan.trials) + ", seed " + std::to_string(plan.seed);
  if (!plan.claims.empty()) {
    out += ", claims";
    for (const std::string& claim : plan.claims) out += " " + claim;
  }
  out += "\n\nCases (" + std::to_string(plan.cases.size()) + ")\n";
  std::vector<Row> rows = {{"case", "test rows", "scaling", "partition", "agents", "model"}};
  for (const CasePlan& each : plan.cases) rows.push_back(case_row(each));
  out += aligned(rows) + "\n";

  // Cases whose methods agree share one table.
  std::vector<std::pair<std::string, std::string>> tables;  // and the names of their cases
  for (const CasePlan& each : plan.cases) {
    const std::string table = methods_table(each.algorithms);
    const auto found =
        std::find_if(tables.begin(), tables.end(), [&](const auto& known) { return known.first == table; });
    if (found == tables.end()) {
      tables.emplace_back(table, each.name);
    } else {
      found->second += "; " + each.name;
    }
  }
  for (const auto& [table, names] : tables) {
    out += "Methods of " + (tables.size() == 1 ? "all cases" : names) + "\n" + table + "\n";
  }
  const WorkEstimate work = estimate(plan);
  out += "* not the default of the method or model itself\nEstimate: " + std::to_string(work.jobs) + " jobs, " +
         std::to_string(work.rounds) + " rounds, " + round_number(work.local_steps) + " local steps, " +
         (work.bytes > 0 || work.unknown.empty() ? "at least " + round_number(work.bytes, " ") + "B exchanged"
                                                 : std::string("bytes unknown")) +
         (work.unknown.empty() ? "" : " (" + work.unknown + ")") + "\n";
  for (const std::string& remark : remarks_on(plan)) out += "Note: " + remark + "\n";
  return out;
}

}  // namespace fedstein
