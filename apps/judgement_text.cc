// SPDX-License-Identifier: Apache-2.0
#include "judgement_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/base/counted.h"
#include "fedstein/base/text.h"
#include "fedstein/experiment/table.h"
#include "fedstein/numeric/check.h"
#include "readable.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

std::string digits(double value) {
  return std::isnan(value) ? "-" : fixed_text(value, 4);
}

std::string digits(double value, int significant) {
  return std::isnan(value) ? "-" : digits_text(value, significant);
}

std::string percent(double share) {
  return digits(100 * share, 4) + " %";
}

std::string figures_text(const Judgement& judgement, bool rich) {
  Table table{.header = {"figure", "value"}};
  for (const auto& [name, value] : judgement.figures) table.rows.push_back({{name}, {digits(value)}});
  return to_text(table, rich);
}

std::string classes_text(const Judgement& judgement, bool rich) {
  Table table{.header = {"class", "rows", "precision", "recall", "F1"}};
  for (const JudgedClass& one : judgement.classes) {
    table.rows.push_back({{readable_line(one.name)},
                          {std::to_string(one.rows)},
                          {digits(one.score.precision)},
                          {digits(one.score.recall)},
                          {digits(one.score.f1)}});
  }
  return "\n" + to_text(table, rich);
}

std::string reliability_text(const ReliabilityBins& bins, bool rich) {
  Table table{.header = {"confidence", "rows", "mean confidence", "accuracy"}};
  for (Index i = 0; i < bins.size(); ++i) {
    const ReliabilityBin& bin = bins.bins()[static_cast<std::size_t>(i)];
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    table.rows.push_back({{digits_text(bins.lower_edge(i), 3) + " to " + digits_text(bins.upper_edge(i), 3)},
                          {std::to_string(bin.count)},
                          {digits(bin.confidence_sum / count)},
                          {digits(static_cast<double>(bin.correct) / count)}});
  }
  return "\nReliability\n" + to_text(table, rich);
}

std::string intervals_text(const Judgement& judgement, bool rich) {
  Table table{.header = {"central interval", "targets inside"}};
  for (const IntervalPoint& point : judgement.intervals) {
    table.rows.push_back({{percent(point.level)}, {percent(point.coverage)}});
  }
  return "\nReliability of the predictive intervals\n" + to_text(table, rich);
}

std::string answers_text(const Judgement& judgement, bool classes, Doubt by, bool rich) {
  const std::string doubt = kDoubtNames[static_cast<std::size_t>(by)];
  Table table{.header = {"left out", "--abstain-above", classes ? "accuracy of the rest" : "RMSE of the rest"}};
  for (const AnsweredPoint& point : judgement.answered) {
    table.rows.push_back({{percent(point.abstained)}, {digits(point.threshold, 6)}, {digits(point.figure)}});
  }
  return "\nRisk and coverage, by doubt: " + doubt + " (area under the curve " + digits(judgement.risk_area, 4) +
         ")\n" + to_text(table, rich);
}

// NaN has no JSON.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

std::string posterior_line(const Posterior& posterior) {
  const TrainingFacts& facts = posterior.facts;
  return readable_line(facts.algorithm) + ", " + std::to_string(facts.rounds) + " rounds, " +
         counted(facts.agents, "agent") + ", " + counted(facts.rows, "row") + " of " + readable_line(facts.dataset) +
         "; " + readable_line(posterior.type) + ", " + counted(posterior.particles.rows(), "particle") +
         ", temperature " + to_text(posterior.temperature);
}

std::string judgement_text(const Judgement& judgement, const Posterior& posterior, Doubt by, bool rich) {
  std::string out = posterior_line(posterior) + "\n" + counted(judgement.rows, "row") + " judged\n\n";
  out += figures_text(judgement, rich);
  const bool classes = judgement.reliability.has_value();
  if (classes) out += classes_text(judgement, rich) + reliability_text(*judgement.reliability, rich);
  if (!judgement.intervals.empty()) out += intervals_text(judgement, rich);
  return out + answers_text(judgement, classes, by, rich);
}

std::string judgement_json(const Judgement& judgement, const Posterior& posterior, Doubt by) {
  Json out = {{"model", posterior_line(posterior)}, {"temperature", posterior.temperature}, {"rows", judgement.rows}};
  for (const auto& [name, value] : judgement.figures) out["figures"][name] = number(value);
  for (const JudgedClass& one : judgement.classes) {
    out["classes"].push_back({{"name", one.name},
                              {"rows", one.rows},
                              {"precision", number(one.score.precision)},
                              {"recall", number(one.score.recall)},
                              {"f1", number(one.score.f1)}});
  }
  if (judgement.reliability) {
    const ReliabilityBins& bins = *judgement.reliability;
    for (Index i = 0; i < bins.size(); ++i) {
      const ReliabilityBin& bin = bins.bins()[static_cast<std::size_t>(i)];
      out["reliability"].push_back({{"low", bins.lower_edge(i)},
                                    {"high", bins.upper_edge(i)},
                                    {"rows", bin.count},
                                    {"correct", bin.correct},
                                    {"confidence_sum", bin.confidence_sum}});
    }
  }
  for (const IntervalPoint& point : judgement.intervals) {
    out["intervals"].push_back({{"level", point.level}, {"coverage", point.coverage}});
  }
  const char* figure = judgement.reliability ? "accuracy" : "rmse";
  out["risk_coverage"] = {{"by", kDoubtNames[static_cast<std::size_t>(by)]}, {"area", judgement.risk_area}};
  for (const AnsweredPoint& point : judgement.answered) {
    out["risk_coverage"]["points"].push_back({{"asked", point.asked},
                                              {"abstained", point.abstained},
                                              {"threshold", point.threshold},
                                              {figure, point.figure}});
  }
  return out.dump(2) + "\n";
}

}  // namespace fedstein
