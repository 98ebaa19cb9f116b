// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "fedstein/experiment/claim_figures.h"
#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

// Whether the subject is ahead of the rival in every round from the fifth on; names the first round where it is not.
bool ahead_from_fifth(const CaseResult& case_result,
                      const Subject& subject,
                      const std::string& rival,
                      const std::string& figure,
                      std::string& why) {
  const auto own = mean_curve(method_in(case_result, subject.label()), figure);
  const auto theirs = mean_curve(method_in(case_result, rival), figure);
  if (own.empty() || theirs.empty()) throw NothingToJudge(case_result.name + " has no " + figure);
  const double sign = less_is_better(figure) ? -1 : 1;
  for (const auto& [round, value] : own) {
    const auto other = theirs.find(round);
    if (round < 5 || other == theirs.end() || sign * value > sign * other->second) continue;
    why += ", behind " + rival + " in round " + std::to_string(round);
    return false;
  }
  return true;
}

Verification networks_ahead(const RunResult& result, const Subject& subject, const std::string& figure) {
  Verification out{.figures = {}, .holds = true};
  const auto cases = cases_where(result, {{"case", "K = 20"}});
  if (cases.empty()) throw NothingToJudge("the run has no case K = 20");
  for (const CaseResult* case_result : cases) {
    std::string line = case_result->coordinate("dataset") + " " + figure + " at the end: " + subject.shown() + " " +
                       number(final_mean(*case_result, subject.label(), figure)) + ", FedAvg " +
                       number(final_mean(*case_result, "fedavg", figure)) + ", DSGLD " +
                       number(final_mean(*case_result, "dsgld", figure));
    const bool first = ahead_from_fifth(*case_result, subject, "fedavg", figure, line);
    const bool second = ahead_from_fifth(*case_result, subject, "dsgld", figure, line);
    out.holds = out.holds && first && second;
    out.figures += (out.figures.empty() ? "" : "; ") + line;
  }
  return out;
}

Verification calibrated_at_every_width(const RunResult& result, const Subject& subject) {
  std::vector<std::pair<double, const CaseResult*>> widths;
  for (const CaseResult* case_result : cases_where(result, {{"dataset", "fashion-mnist"}})) {
    widths.emplace_back(std::strtod(case_result->coordinate("hidden").c_str(), nullptr), case_result);
  }
  if (widths.size() < 2) throw NothingToJudge("the run has fewer than 2 widths of fashion-mnist");
  std::sort(widths.begin(), widths.end());
  Verification out{.figures = "MCE by width:", .holds = true};
  for (const auto& [width, case_result] : widths) {
    const double own = final_mean(*case_result, subject.label(), "mce");
    const double fedavg = final_mean(*case_result, "fedavg", "mce");
    out.figures += " " + case_result->coordinate("hidden") + ": " + subject.shown() + " " + number(own) + ", FedAvg " +
                   number(fedavg) + ";";
    out.holds = out.holds && own < fedavg;
  }
  const CaseResult& narrow = *widths.front().second;
  const CaseResult& wide = *widths.back().second;
  const bool fedavg_grows = final_mean(wide, "fedavg", "mce") > final_mean(narrow, "fedavg", "mce");
  const bool own_grows = final_mean(wide, subject.label(), "mce") > final_mean(narrow, subject.label(), "mce");
  out.figures += std::string(" from the narrowest to the widest FedAvg's ") +
                 (fedavg_grows ? "grows" : "does not grow") + ", " + subject.shown() + "'s " +
                 (own_grows ? "grows" : "does not grow");
  out.holds = out.holds && fedavg_grows && !own_grows;
  return out;
}

}  // namespace

std::vector<Claim> network_claims() {
  const std::string text = "K = 20: DSVGD better than FedAvg and DSGLD at every round from the fifth on";
  return {
      {"C9",
       "bnn-regression",
       text,
       [](const RunResult& result, const Subject& subject) { return networks_ahead(result, subject, "rmse"); }},
      {"C9",
       "bnn-classification",
       text,
       [](const RunResult& result, const Subject& subject) { return networks_ahead(result, subject, "accuracy"); }},
      {"C10",
       "reliability",
       "Fashion-MNIST: DSVGD's MCE below FedAvg's at every width; FedAvg's grows with width, DSVGD's does not",
       calibrated_at_every_width},
  };
}

}  // namespace fedstein
