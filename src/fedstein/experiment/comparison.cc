// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "fedstein/base/text.h"
#include "fedstein/evaluation/by_group.h"
#include "fedstein/evaluation/unseen.h"
#include "fedstein/experiment/outcome.h"

namespace fedstein {
namespace {

// In the order in which people ask for them.
constexpr std::array<const char*, 10> kUsualOrder = {
    "accuracy", "rmse", "f1", "log_likelihood", "coverage", "ece", "mce", "brier", "kl", "kl_reverse"};

// In --json, export and report; a terminal is narrow.
const std::set<std::string> kNotOnATerminal = {"brier", "kl_reverse", "ksd", "spread_ratio"};
constexpr const char* kAnsweredPrefix = "answered@";
bool fits_a_terminal(const std::string& figure) {
  const auto begins = [&](const char* prefix) { return figure.starts_with(prefix); };
  return !kNotOnATerminal.contains(figure) && !begins(kAnsweredPrefix) && !begins("validation_") &&
         !begins(kUnseenFigure) && !begins(kUnseenTotalFigure) && !is_by_group(figure);
}

std::vector<std::string> figures_of(const RunResult& result) {
  std::set<std::string> present;
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      for (const TrialResult& trial : method.trials) {
        if (trial.rounds.empty()) continue;
        for (const auto& [name, value] : trial.rounds.back().figures) present.insert(name);
      }
    }
  }
  std::vector<std::string> ordered;
  for (const char* name : kUsualOrder) {
    if (present.erase(name) > 0) ordered.emplace_back(name);
  }
  // The others are for verdicts.
  for (const char* hidden : {"free_energy",
                             "collapsed",
                             "confidence",
                             "baseline",
                             "rows",
                             "agents",
                             "validation_confidence",
                             "validation_rows",
                             "step",
                             "undone",
                             "difference"}) {
    present.erase(hidden);
  }
  ordered.insert(ordered.end(), present.begin(), present.end());
  return ordered;
}

// What a case's methods are asked to reach.
std::pair<std::string, double> target_of(const CaseResult& case_result,
                                         const std::vector<std::string>& figures,
                                         const ComparisonOptions& options) {
  if (!options.target_figure.empty() || figures.empty()) return {options.target_figure, options.target};
  const std::string& figure = figures.front();
  const bool less = less_is_better(figure);
  double best = std::nan("");
  for (const MethodResult& method : case_result.methods) {
    const double mean = at_round(method, figure).mean;
    if (!std::isfinite(mean)) continue;
    if (std::isnan(best) || (less ? mean < best : mean > best)) best = mean;
  }
  return {figure, less ? 1.05 * best : 0.95 * best};
}

ComparisonRow row_of(const CaseResult& case_result,
                     const MethodResult& method,
                     const std::vector<std::string>& figures,
                     const std::pair<std::string, double>& target) {
  ComparisonRow row{.case_name = case_result.name, .label = method.label};
  for (const std::string& figure : figures) {
    const Estimate estimate = at_round(method, figure);
    if (estimate.trials > 0) row.final_figures[figure] = estimate;
  }
  for (const TrialResult& trial : method.trials) {
    ++row.trials;
    row.failed += trial.status == JobStatus::kFailed ? 1 : 0;
    if (!trial.rounds.empty()) row.rounds = std::max(row.rounds, trial.rounds.back().round);
    for (const RoundRecord& record : trial.rounds) row.seconds += record.seconds;
  }
  if (row.trials > 0) row.seconds /= static_cast<double>(row.trials);
  row.bytes = bytes_until(method, row.rounds);
  row.verdict = verdict_of(method);
  if (target.first.empty()) return row;
  row.rounds_to_target = rounds_to_hold(method, target.first, target.second);
  if (row.rounds_to_target) row.bytes_to_target = bytes_until(method, *row.rounds_to_target);
  return row;
}

std::string estimate_text(const Estimate& estimate) {
  const std::string mean = fixed_text(estimate.mean, 4);
  return estimate.trials > 1 ? mean + " ± " + fixed_text(estimate.error, 4) : mean;
}

// The best of a figure among the rows of one case: rows whose means print alike share the honour.
bool is_best(const std::vector<const ComparisonRow*>& rows, const ComparisonRow& row, const std::string& figure) {
  if (figure == "coverage") return false;  // the best is neither the least nor the greatest
  const auto mine = row.final_figures.find(figure);
  if (mine == row.final_figures.end() || !std::isfinite(mine->second.mean) || rows.size() < 2) return false;
  return std::none_of(rows.begin(), rows.end(), [&](const ComparisonRow* other) {
    const auto theirs = other->final_figures.find(figure);
    if (theirs == other->final_figures.end()) return false;
    const double lead = theirs->second.mean - mine->second.mean;
    return (less_is_better(figure) ? -lead : lead) > 5e-5;
  });
}

// What a table shows of the figures, in order.
std::vector<std::string> terminal_columns(const std::vector<std::string>& figures) {
  const std::string answered = told_answered(figures);
  std::vector<std::string> out;
  for (const std::string& figure : figures) {
    if (fits_a_terminal(figure)) out.push_back(figure);
    if (figure == "accuracy" && !answered.empty()) out.push_back(answered);
  }
  return out;
}

std::string heading_of(const std::string& figure) {
  if (figure == "log_likelihood") return "log-likelihood";
  if (!figure.starts_with(kAnsweredPrefix)) return figure;
  const double share = std::strtod(figure.c_str() + std::string_view(kAnsweredPrefix).size(), nullptr);
  return "surest " + digits_text(100 * (1 - share), 3) + " %";
}

void drop_column(Table& table, const std::string& name) {
  const auto found = std::find(table.header.begin(), table.header.end(), name);
  if (found == table.header.end()) return;
  const auto at = found - table.header.begin();
  table.header.erase(found);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

std::string fitting_text(Table table, bool rich, std::size_t width) {
  for (const char* name : {"mce", "to target", "rounds", "seconds", "bytes"}) {
    if (widest_line(to_text(table, false)) <= width) break;
    drop_column(table, name);
  }
  return to_text(table, rich);
}

std::string seconds_text(double seconds) {
  return fixed_text(seconds, seconds < 10 ? 2 : 0) + " s";
}

}  // namespace

Comparison compare(const RunResult& result, const ComparisonOptions& options) {
  Comparison comparison;
  comparison.figures = figures_of(result);
  for (const CaseResult& case_result : result.cases) {
    const auto target = target_of(case_result, comparison.figures, options);
    for (const MethodResult& method : case_result.methods) {
      comparison.rows.push_back(row_of(case_result, method, comparison.figures, target));
    }
    const std::string line = outcome_line(case_result);
    if (!line.empty()) comparison.outcomes[case_result.name] = line;
  }
  return comparison;
}

void append_run(Comparison& all, Comparison one, const std::string& run) {
  for (ComparisonRow& row : one.rows) {
    row.case_name = run + ": " + row.case_name;
    all.rows.push_back(std::move(row));
  }
  for (const auto& [name, line] : one.outcomes) all.outcomes[run + ": " + name] = line;
  for (const std::string& figure : one.figures) {
    if (std::find(all.figures.begin(), all.figures.end(), figure) == all.figures.end()) all.figures.push_back(figure);
  }
}

std::string comparison_text(const Comparison& comparison, bool rich, std::size_t width) {
  std::string out;
  for (std::size_t begin = 0; begin < comparison.rows.size();) {
    std::vector<const ComparisonRow*> rows;
    const std::string& case_name = comparison.rows[begin].case_name;
    for (; begin < comparison.rows.size() && comparison.rows[begin].case_name == case_name; ++begin) {
      rows.push_back(&comparison.rows[begin]);
    }
    Table table{.header = {"method"}};
    std::vector<std::string> shown;
    for (const std::string& figure : terminal_columns(comparison.figures)) {
      if (std::none_of(
              rows.begin(), rows.end(), [&](const auto* row) { return row->final_figures.contains(figure); })) {
        continue;
      }
      shown.push_back(figure);
      table.header.push_back(heading_of(figure));
    }
    for (const char* name : {"rounds", "to target", "bytes", "seconds"}) table.header.emplace_back(name);
    for (const ComparisonRow* row : rows) {
      std::vector<Cell> cells = {{row->label + (row->failed > 0 ? " (failed)" : "")}};
      for (const std::string& figure : shown) {
        const auto found = row->final_figures.find(figure);
        cells.push_back(
            {found == row->final_figures.end() ? "-" : estimate_text(found->second), is_best(rows, *row, figure)});
      }
      cells.push_back({std::to_string(row->rounds)});
      cells.push_back({row->rounds_to_target ? std::to_string(*row->rounds_to_target) : "-"});
      cells.push_back({bytes_text(row->bytes)});
      cells.push_back({seconds_text(row->seconds)});
      table.rows.push_back(std::move(cells));
    }
    std::vector<std::pair<std::string, MethodVerdict>> verdicts;
    for (const ComparisonRow* row : rows) verdicts.emplace_back(row->label, row->verdict);
    const auto line = comparison.outcomes.find(case_name);
    out += (out.empty() ? "" : "\n") + case_name + "\n" + fitting_text(std::move(table), rich, width) +
           (line == comparison.outcomes.end() ? "" : line->second + "\n") + verdicts_text(verdicts);
  }
  return out;
}

std::string comparison_json(const Comparison& comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ComparisonRow& row : comparison.rows) {
    nlohmann::json figures = nlohmann::json::object();
    for (const auto& [name, estimate] : row.final_figures) {
      figures[name] = {{"mean", estimate.mean}, {"standard_error", estimate.error}, {"trials", estimate.trials}};
      if (estimate.trials < 2) figures[name]["standard_error"] = nullptr;  // one trial says nothing about it
    }
    nlohmann::json out = {{"case", row.case_name},
                          {"algorithm", row.label},
                          {"figures", figures},
                          {"trials", row.trials},
                          {"failed", row.failed},
                          {"rounds", row.rounds},
                          {"bytes", row.bytes},
                          {"seconds", row.seconds},
                          {"rounds_to_target", nullptr},
                          {"bytes_to_target", nullptr},
                          {"verdict",
                           {{"kind", name_of(row.verdict.worst.kind)},
                            {"text", row.verdict.text()},
                            {"figure", row.verdict.worst.figure},
                            {"per_round", row.verdict.worst.per_round},
                            {"trial", row.verdict.trial},
                            {"alike", row.verdict.alike}}}};
    if (row.rounds_to_target) out["rounds_to_target"] = *row.rounds_to_target;
    if (row.bytes_to_target) out["bytes_to_target"] = *row.bytes_to_target;
    rows.push_back(std::move(out));
  }
  return nlohmann::json{{"figures", comparison.figures}, {"outcomes", comparison.outcomes}, {"rows", rows}}.dump(2);
}

}  // namespace fedstein
