// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/outcome.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string_view>

#include "fedstein/base/text.h"

namespace fedstein {
namespace {

constexpr const char* kAnswered = "answered@";

struct Standing {
  const MethodResult* method = nullptr;
  std::map<Index, double> by_trial = {};  // the figure after the last round
  double mean = 0;
};

std::map<Index, double> last_values(const MethodResult& method, const std::string& figure) {
  std::map<Index, double> out;
  for (const TrialResult& trial : method.trials) {
    for (auto record = trial.rounds.rbegin(); record != trial.rounds.rend(); ++record) {
      const auto found = record->figures.find(figure);
      if (found == record->figures.end()) continue;
      if (std::isfinite(found->second)) out[trial.trial] = found->second;
      break;
    }
  }
  return out;
}

// Best first; of equals the one that is listed first.
std::vector<Standing> standings(const CaseResult& case_result, const std::string& figure) {
  std::vector<Standing> out;
  for (const MethodResult& method : case_result.methods) {
    Standing one{.method = &method, .by_trial = last_values(method, figure)};
    // A method that failed in a trial has no place: its mean would be over easier ones.
    if (one.by_trial.empty() || one.by_trial.size() < method.trials.size()) continue;
    for (const auto& [trial, value] : one.by_trial) one.mean += value / static_cast<double>(one.by_trial.size());
    out.push_back(std::move(one));
  }
  const bool less = less_is_better(figure);
  std::stable_sort(out.begin(), out.end(), [&](const Standing& a, const Standing& b) {
    return less ? a.mean < b.mean : a.mean > b.mean;
  });
  return out;
}

// Trials share their data, so that differences vary less than either figure does.
Estimate lead_of(const Standing& a, const Standing& b) {
  std::vector<double> differences;
  for (const auto& [trial, value] : a.by_trial) {
    const auto other = b.by_trial.find(trial);
    if (other != b.by_trial.end()) differences.push_back(value - other->second);
  }
  return estimate_of(differences);
}

std::string in_words(const std::string& figure) {
  return figure == "log_likelihood" ? "log-likelihood" : figure == "rmse" ? "RMSE" : figure == "kl" ? "KL" : figure;
}

std::string percent(double share) {
  return fixed_text(100 * share, 1) + " %";
}

// How far a is ahead of b, as a size in words, and whether that is more than chance.
struct Gap {
  std::string text = {};  // "0.0070 ± 0.0012"
  bool clear = false;     // two standard errors or more; of a single trial any that the text shows
};

Gap gap_between(const Standing& a, const Standing& b) {
  const Estimate lead = lead_of(a, b);
  const double size = std::abs(lead.mean);
  const std::string error = lead.trials > 1 ? " ± " + fixed_text(lead.error, 4) : "";
  return {fixed_text(size, 4) + error, size >= 5e-5 && (lead.trials < 2 || size >= 2 * lead.error)};
}

// "c-dsvgd, 0.0070 ± 0.0012 better than scaffold"
std::string first_place(const Standing& first, const Standing& second) {
  const Gap gap = gap_between(first, second);
  if (gap.clear) return first.method->label + ", " + gap.text + " better than " + second.method->label;
  return first.method->label + " and " + second.method->label + " level (" + gap.text + " apart)";
}

// ", level with svgd"
std::string beside_central(const Standing& federated, const Standing& central, bool less) {
  const Gap gap = gap_between(federated, central);
  if (!gap.clear) return ", level with " + central.method->label;
  const bool better = less ? federated.mean < central.mean : federated.mean > central.mean;
  return ", " + gap.text + (better ? " better than " : " worse than ") + central.method->label;
}

std::string abstention_words(const MethodResult& method) {
  std::vector<std::string> names;
  for (const TrialResult& trial : method.trials) {
    if (trial.rounds.empty()) continue;
    for (const auto& [name, value] : trial.rounds.back().figures) names.push_back(name);
  }
  const std::string figure = told_answered(names);
  const double kept = figure.empty() ? std::nan("") : at_round(method, figure).mean;
  if (!std::isfinite(kept)) return "";
  const double share = 100 * (1 - std::strtod(figure.c_str() + std::string_view(kAnswered).size(), nullptr));
  return "; surest " + digits_text(share, 3) + " % of rows: " + percent(kept) + " right";
}

}  // namespace

std::string told_answered(const std::vector<std::string>& figures) {
  const std::string tenth = std::string(kAnswered) + "0.1";
  if (std::find(figures.begin(), figures.end(), tenth) != figures.end()) return tenth;
  std::set<std::string> all;
  for (const std::string& figure : figures) {
    if (figure.starts_with(kAnswered) && figure != "answered@0") all.insert(figure);
  }
  return all.size() == 1 ? *all.begin() : "";
}

std::string outcome_line(const CaseResult& case_result) {
  for (const char* figure : {"log_likelihood", "accuracy", "rmse", "kl"}) {
    const std::vector<Standing> places = standings(case_result, figure);
    if (places.size() < 2) continue;
    std::vector<Standing> federated;
    std::vector<Standing> central;
    for (const Standing& one : places) (one.method->centralised ? central : federated).push_back(one);
    const std::string best = "best " + in_words(figure);
    // One method each way, or all of one kind: a single order says it all.
    if (federated.size() < 2) {
      const MethodResult& asked = *(federated.empty() ? places : federated).front().method;
      return best + ": " + first_place(places[0], places[1]) + abstention_words(asked);
    }
    std::string out = ": " + first_place(federated[0], federated[1]);
    bool behind = false;
    if (!central.empty()) {
      out += beside_central(federated[0], central[0], less_is_better(figure));
      behind = central[0].method == places[0].method && gap_between(federated[0], central[0]).clear;
    }
    return best + (behind ? " without moving data" : "") + out + abstention_words(*federated[0].method);
  }
  return "";
}

}  // namespace fedstein
