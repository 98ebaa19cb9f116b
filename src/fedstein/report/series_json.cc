// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/series_json.h"

#include <algorithm>
#include <set>

#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;
// figure -> round -> values by trial
using Curves = std::map<std::string, std::map<Index, std::vector<double>>>;

// Figures that a picture wants although they are fields of the record.
bool asked_for(const Plan& plan, const std::string& figure) {
  return std::any_of(plan.figures.begin(), plan.figures.end(), [&](const auto& one) { return one.metric == figure; });
}

Curves curves_of(const Plan& plan, const MethodResult& method) {
  Curves curves;
  bool spreads = asked_for(plan, "spread");
  for (const TrialResult& trial : method.trials) {
    for (const RoundRecord& record : trial.rounds) spreads = spreads || record.spread > 0;
  }
  const bool seconds = asked_for(plan, "seconds");
  for (const TrialResult& trial : method.trials) {
    for (const RoundRecord& record : trial.rounds) {
      if (record.figures.empty()) continue;  // not an evaluated round
      for (const auto& [name, value] : record.figures) {
        if (name != "collapsed" && name != "baseline" && name != "rows" && name != "agents" &&
            name != "validation_rows")
          curves[name][record.round].push_back(value);  // a warning, and numbers that do not change
      }
      if (spreads) curves["spread"][record.round].push_back(record.spread);
      if (seconds) curves["seconds"][record.round].push_back(record.seconds);
    }
  }
  // Only rounds that as many trials have as have any.
  for (auto& [name, rounds] : curves) {
    std::size_t most = 0;
    for (const auto& [round, values] : rounds) most = std::max(most, values.size());
    std::erase_if(rounds, [&](const auto& entry) { return entry.second.size() < most; });
  }
  return curves;
}

Json averaged(const std::map<Index, std::vector<double>>& curve, const std::set<Index>& rounds) {
  Json mean = Json::array();
  Json error = Json::array();
  for (const Index round : rounds) {
    const auto found = curve.find(round);
    const Estimate estimate = found == curve.end() ? estimate_of({}) : estimate_of(found->second);
    mean.push_back(rounded(estimate.mean, kMeanDigits));
    error.push_back(estimate.trials > 1 ? rounded(estimate.error, kErrorDigits) : Json());
  }
  return {{"mean", mean}, {"error", error}};
}

// What a trial had spent at each of the rounds, mean over the trials that got there.
template <typename Cost>
Json spent(const MethodResult& method, const std::set<Index>& rounds, int digits, const Cost& cost) {
  std::map<Index, std::vector<double>> totals;
  for (const TrialResult& trial : method.trials) {
    double total = 0;
    for (const RoundRecord& record : trial.rounds) {
      total += cost(record);
      if (rounds.contains(record.round)) totals[record.round].push_back(total);
    }
  }
  Json out = Json::array();
  for (const Index round : rounds) out.push_back(rounded(estimate_of(totals[round]).mean, digits));
  return out;
}

// The first trial's only: who takes part is drawn anew in every trial, and one shows the pattern.
Json activity_json(const MethodResult& method) {
  if (method.centralised || method.trials.empty() || method.trials.front().rounds.empty()) return nullptr;
  Json rounds = Json::array();
  Json folded = Json::array();
  for (const RoundRecord& record : method.trials.front().rounds) {
    rounds.push_back(record.round);
    folded.push_back(record.folded);
  }
  return {{"rounds", rounds}, {"folded", folded}};
}

}  // namespace

Json series_json(const RunResult& result, std::size_t case_index, const MethodResult& method) {
  const Curves curves = curves_of(result.plan, method);
  std::set<Index> rounds;
  for (const auto& [name, curve] : curves) {
    for (const auto& [round, values] : curve) rounds.insert(round);
  }
  Json figures = Json::object();
  for (const auto& [name, curve] : curves) figures[name] = averaged(curve, rounds);
  Json failures = Json::array();
  Json errors = Json::array();
  for (const TrialResult& trial : method.trials) {
    if (trial.status == JobStatus::kFailed) errors.push_back({{"trial", trial.trial}, {"error", trial.error}});
    for (const RoundRecord& record : trial.rounds) {
      for (const Failure& failure : record.failures) {
        failures.push_back({{"trial", trial.trial},
                            {"round", record.round},
                            {"agent", failure.agent},
                            {"kind", name_of(failure.kind)},
                            {"reason", failure.reason}});
      }
    }
  }
  const bool sends = !method.centralised;  // a centralised method's rounds carry nothing over a network
  return {{"case", case_index},
          {"algorithm", method.label},
          {"method", method.method},
          {"centralised", method.centralised},
          {"trials", method.trials.size()},
          {"rounds", rounds},
          {"bytes",
           spent(method,
                 rounds,
                 15,
                 [&](const RoundRecord& record) {
                   return sends ? static_cast<double>(record.bytes_down + record.bytes_up) : 0.0;
                 })},
          {"seconds", spent(method, rounds, 4, [](const RoundRecord& record) { return record.seconds; })},
          {"figures", figures},
          {"activity", activity_json(method)},
          {"failures", failures},
          {"errors", errors}};
}

Index agents_of(const RunResult& result, std::size_t case_index) {
  Index agents = std::max<Index>(1, result.plan.cases[case_index].partition.agents);
  for (const MethodResult& method : result.cases[case_index].methods) {
    if (method.centralised || method.trials.empty()) continue;
    for (const RoundRecord& record : method.trials.front().rounds) {
      for (const Index agent : record.scheduled) agents = std::max(agents, agent + 1);
    }
  }
  return agents;
}

}  // namespace fedstein
