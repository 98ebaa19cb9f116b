// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/claim_figures.h"

#include <algorithm>
#include <cmath>

#include "fedstein/base/text.h"

namespace fedstein {
namespace {

std::string text_of(const Coordinates& wanted) {
  std::string text;
  for (const auto& [key, value] : wanted) text += (text.empty() ? "" : ", ") + key + " = " + value;
  return text.empty() ? "any case" : text;
}

double finite(double value, const CaseResult& case_result, const std::string& label, const std::string& figure) {
  if (std::isnan(value)) throw NothingToJudge(case_result.name + ": " + label + " has no " + figure);
  return value;
}

}  // namespace

std::vector<const CaseResult*> cases_where(const RunResult& result, const Coordinates& wanted) {
  std::vector<const CaseResult*> found;
  for (const CaseResult& case_result : result.cases) {
    const bool fits = std::all_of(wanted.begin(), wanted.end(), [&](const auto& pair) {
      return case_result.coordinate(pair.first) == pair.second;
    });
    if (fits) found.push_back(&case_result);
  }
  return found;
}

const CaseResult& case_where(const RunResult& result, const Coordinates& wanted) {
  const auto found = cases_where(result, wanted);
  if (found.empty()) throw NothingToJudge("the run has no case with " + text_of(wanted));
  return *found.front();
}

const MethodResult& method_in(const CaseResult& case_result, const std::string& label) {
  const MethodResult* method = case_result.method(label);
  if (method == nullptr) throw NothingToJudge(case_result.name + " has no method " + label);
  return *method;
}

double final_mean(const CaseResult& case_result, const std::string& label, const std::string& figure) {
  return finite(at_round(method_in(case_result, label), figure).mean, case_result, label, figure);
}

double mean_at(const CaseResult& case_result, const std::string& label, const std::string& figure, Index round) {
  const double mean = at_round(method_in(case_result, label), figure, round).mean;
  return finite(mean, case_result, label, figure + " in round " + std::to_string(round));
}

double mean_of_last(const CaseResult& case_result,
                    const std::string& label,
                    const std::string& figure,
                    std::size_t count) {
  const auto curve = mean_curve(method_in(case_result, label), figure);
  if (curve.empty()) throw NothingToJudge(case_result.name + ": " + label + " has no " + figure);
  double sum = 0;
  std::size_t used = 0;
  for (auto point = curve.rbegin(); point != curve.rend() && used < count; ++point, ++used) sum += point->second;
  return sum / static_cast<double>(used);
}

double median(std::vector<double> values) {
  if (values.empty()) throw NothingToJudge("no values to take a median of");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string number(double value) {
  return fixed_text(value, 4);
}

std::string rounds_text(const std::optional<Index>& rounds) {
  return rounds ? std::to_string(*rounds) : "never";
}

}  // namespace fedstein
