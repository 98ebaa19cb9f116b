// SPDX-License-Identifier: Apache-2.0
#include "posterior_words.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <utility>
#include <vector>

#include "arrays.h"
#include "fedstein/base/check.h"
#include "fedstein/base/instead_of.h"

namespace fedstein::python {
namespace {

constexpr std::array<std::pair<ScalingRule, const char*>, 4> kFittedRules = {{
    {ScalingRule::kNone, "none"},
    {ScalingRule::kUnitInterval, "unit-interval"},
    {ScalingRule::kStandardise, "standardise"},
    {ScalingRule::kPixel, "pixel"},
}};

nb::object reliability(const Judgement& judgement) {
  if (!judgement.reliability) return nb::none();
  nb::list out;
  const ReliabilityBins& bins = *judgement.reliability;
  for (Index i = 0; i < bins.size(); ++i) {
    const ReliabilityBin& bin = bins.bins()[static_cast<std::size_t>(i)];
    nb::dict one;
    one["low"] = bins.lower_edge(i);
    one["high"] = bins.upper_edge(i);
    one["count"] = bin.count;
    one["correct"] = bin.correct;
    one["confidence_sum"] = bin.confidence_sum;
    out.append(one);
  }
  return out;
}

}  // namespace

nb::dict dict_of(const PosteriorSummary& summary) {
  constexpr const char* kLinks[] = {"identity", "log-odds", "log", "softmax"};
  nb::list coefficients;
  for (const CoefficientRow& row : summary.coefficients) {
    nb::dict one;
    one["name"] = row.name;
    one["outcome"] = row.outcome;
    one["mean"] = row.mean;
    one["deviation"] = row.deviation;
    one["low"] = row.low;
    one["high"] = row.high;
    one["above_zero"] = row.above_zero;
    coefficients.append(one);
  }
  nb::list others;
  for (const OtherRow& row : summary.others) {
    nb::dict one;
    one["name"] = row.name;
    one["value"] = row.value;
    one["deviation"] = row.deviation;
    one["low"] = row.low;
    one["high"] = row.high;
    others.append(one);
  }
  nb::dict out;
  out["link"] = kLinks[static_cast<std::size_t>(summary.link)];
  out["level"] = summary.level;
  out["coefficients"] = coefficients;
  out["others"] = others;
  out["from_covariance"] = summary.from_covariance;
  out["particles"] = summary.particles;
  out["ksd"] = nb::cast(summary.ksd);
  out["distinct"] = nb::cast(summary.distinct);
  return out;
}

nb::dict dict_of(const Judgement& judgement) {
  nb::dict figures;
  for (const auto& [name, value] : judgement.figures) figures[name.c_str()] = value;
  nb::list classes;
  for (const JudgedClass& judged : judgement.classes) {
    nb::dict one;
    one["name"] = judged.name;
    one["rows"] = judged.rows;
    one["precision"] = judged.score.precision;
    one["recall"] = judged.score.recall;
    one["f1"] = judged.score.f1;
    classes.append(one);
  }
  nb::list intervals;
  for (const IntervalPoint& point : judgement.intervals) {
    nb::dict one;
    one["level"] = point.level;
    one["coverage"] = point.coverage;
    intervals.append(one);
  }
  nb::list answered;
  for (const AnsweredPoint& point : judgement.answered) {
    nb::dict one;
    one["asked"] = point.asked;
    one["abstained"] = point.abstained;
    one["threshold"] = point.threshold;
    one["figure"] = point.figure;
    answered.append(one);
  }
  nb::dict out;
  out["rows"] = judgement.rows;
  out["figures"] = figures;
  out["classes"] = classes;
  out["reliability"] = reliability(judgement);
  out["intervals"] = intervals;
  out["answered"] = answered;
  out["risk_area"] = judgement.risk_area;
  return out;
}

nb::dict dict_of(const Scaling& scaling) {
  nb::dict out;
  for (const auto& [rule, name] : kFittedRules) {
    if (rule == scaling.rule) out["rule"] = name;
  }
  out["shift"] = array_of(DoubleVector(scaling.shift));
  out["spread"] = array_of(DoubleVector(scaling.spread));
  out["target_shift"] = scaling.target_shift;
  out["target_spread"] = scaling.target_spread;
  return out;
}

ScalingRule scaling_rule(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [rule, known] : kFittedRules) {
    if (name == known) return rule;
    names.emplace_back(known);
  }
  refuse("scaling", "rule is '" + name + "'" + instead_of(name, names));
}

}  // namespace fedstein::python
