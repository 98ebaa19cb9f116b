// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>

#include "fedstein/config/names.h"
#include "fedstein/config/parse.h"
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
std::string settings_text(const Settings& settings) {
  std::string out;
  for (const Setting& setting : settings.definitions()) {
    const SettingValue& value = settings.at(setting.key);
    out += (out.empty() ? "" : "  ") + setting.key + "=" + plain(value) + (value == setting.standard ? "" : "*");
  }
  return out.empty() ? "-" : out;
}

std::string round_number(double value) {
  constexpr std::array<const char*, 7> kUnits = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), value < 10 && unit > 0 ? "%.1f" : "%.0f", value);
  return std::string(text.data()) + (unit > 0 ? std::string(" ") + kUnits[unit] : " ");
}

Row case_row(const CasePlan& plan) {
  const DatasetPlan& data = plan.dataset;
  const bool toy = plan.model.labels == LabelKind::kDensity;
  const std::string agents = plan.partition.agents == 0 ? "one per group" : std::to_string(plan.partition.agents);
  return {plan.name,
          toy ? "-" : data.name,
          toy                   ? "-"
          : data.standard_split ? "standard"
                                : "random " + to_text(data.test_fraction),
          toy                     ? "-"
          : data.standard_scaling ? "standard"
                                  : scaling_name(data.scaling),
          toy ? "by factor" : std::string(partition_name(plan.partition.kind)),
          agents,
          plan.model.type + " " + settings_text(plan.model.settings)};
}

Row method_row(const AlgorithmPlan& method) {
  std::string scheduler = method.method->centralised ? "centralised" : method.scheduler.kind;
  if (scheduler == "fraction") scheduler += " " + to_text(method.scheduler.fraction);
  return {method.label, method.method->name, std::to_string(method.rounds), scheduler, settings_text(method.settings)};
}

}  // namespace

std::string describe(const Plan& plan) {
  std::string out = plan.name + (plan.title.empty() ? "" : ": " + plan.title) + "\n";
  out += "trials " + std::to_string(plan.trials) + ", seed " + std::to_string(plan.seed);
  if (!plan.claims.empty()) {
    out += ", claims";
    for (const std::string& claim : plan.claims) out += " " + claim;
  }
  out += "\n\nCases (" + std::to_string(plan.cases.size()) + ")\n";
  std::vector<Row> rows = {{"case", "dataset", "test rows", "scaling", "partition", "agents", "model"}};
  for (const CasePlan& each : plan.cases) rows.push_back(case_row(each));
  out += aligned(rows) + "\n";

  // Cases in a row whose methods agree share one table.
  std::string last;
  std::string heading;
  const auto write = [&] {
    if (!last.empty()) out += "Methods of " + heading + " (* not the method's own default)\n" + last + "\n";
  };
  for (const CasePlan& each : plan.cases) {
    std::vector<Row> methods = {{"label", "type", "rounds", "scheduler", "settings"}};
    for (const AlgorithmPlan& method : each.algorithms) methods.push_back(method_row(method));
    const std::string table = aligned(methods);
    if (table != last) {
      write();
      last = table;
      heading = each.name;
    } else {
      heading += "; " + each.name;
    }
  }
  write();
  const WorkEstimate work = estimate(plan);
  out += "Estimate: " + std::to_string(work.jobs) + " jobs, " + std::to_string(work.rounds) + " rounds, " +
         round_number(work.local_steps) + "local steps, " + round_number(work.bytes) + "B exchanged\n";
  return out;
}

}  // namespace fedstein
