// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/experiment/claim_figures.h"
#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

constexpr const char* kAccuracy = "accuracy";

Verification few_rounds_on_covertype(const RunResult& result, const Subject& subject) {
  constexpr double kTarget = 0.70;
  const CaseResult& case_result = case_where(result, {{"dataset", "covertype"}, {"case", "K = 20"}});
  const auto dsvgd = rounds_to_reach(method_in(case_result, subject.label()), kAccuracy, kTarget);
  const MethodResult& released = method_in(case_result, "fedavg released");
  const auto slow = rounds_to_reach(released, kAccuracy, kTarget);
  const Index done =
      released.trials.empty() || released.trials[0].rounds.empty() ? 0 : released.trials[0].rounds.back().round;
  Verification out;
  out.figures = "rounds to 70 %: " + subject.shown() + " " + rounds_text(dsvgd) + ", FedAvg released " +
                rounds_text(slow) + " of " + std::to_string(done) + ", FedAvg at its best " +
                rounds_text(rounds_to_reach(method_in(case_result, "fedavg"), kAccuracy, kTarget));
  // Never within the rounds there were: at least one more.
  const Index least = slow.value_or(done + 1);
  out.holds = dsvgd && *dsvgd <= 8 && least >= 10 * *dsvgd;
  return out;
}

Verification as_good_as_centralised(const RunResult& result, const Subject& subject) {
  Verification out{.figures = {}, .holds = true};
  for (const char* agents : {"K = 2", "K = 20"}) {
    std::vector<double> behind_svgd;
    std::vector<double> ahead_of_dsgld;
    std::vector<double> ahead_of_fedavg;
    for (const CaseResult* case_result : cases_where(result, {{"case", agents}})) {
      const double dsvgd = final_mean(*case_result, subject.label(), kAccuracy);
      behind_svgd.push_back(final_mean(*case_result, "svgd", kAccuracy) - dsvgd);
      ahead_of_dsgld.push_back(dsvgd - final_mean(*case_result, "dsgld", kAccuracy));
      ahead_of_fedavg.push_back(dsvgd - final_mean(*case_result, "fedavg", kAccuracy));
    }
    const double svgd = median(behind_svgd);
    const double dsgld = median(ahead_of_dsgld);
    const double fedavg = median(ahead_of_fedavg);
    out.figures += std::string(out.figures.empty() ? "" : "; ") + agents + ", medians of " +
                   std::to_string(behind_svgd.size()) + " sets: SVGD - " + subject.shown() + " " + number(svgd) + ", " +
                   subject.shown() + " - DSGLD " + number(dsgld) + ", " + subject.shown() + " - FedAvg " +
                   number(fedavg);
    out.holds = out.holds && svgd <= 0.015 && dsgld >= 0 && fedavg >= 0;
  }
  return out;
}

// Rounds to 95 % of the method's own final accuracy.
double rounds_to_settle(const CaseResult& case_result, const std::string& label) {
  const double goal = 0.95 * final_mean(case_result, label, kAccuracy);
  const auto rounds = rounds_to_reach(method_in(case_result, label), kAccuracy, goal);
  if (!rounds) throw NothingToJudge(case_result.name + ": " + label + " never reached 95 % of its final accuracy");
  return static_cast<double>(*rounds);
}

Verification grows_little_with_agents(const RunResult& result, const Subject& subject) {
  const CaseResult& two = case_where(result, {{"dataset", "covertype"}, {"case", "K = 2"}});
  const CaseResult& twenty = case_where(result, {{"dataset", "covertype"}, {"case", "K = 20"}});
  Verification out;
  double own = 0;
  double least_rival = std::nan("");
  for (const std::string& label : {subject.label(), std::string("fedavg"), std::string("fedavg released")}) {
    const double few = rounds_to_settle(two, label);
    const double many = rounds_to_settle(twenty, label);
    out.figures += std::string(out.figures.empty() ? "" : ", ") + label + " from " + std::to_string(std::lround(few)) +
                   " to " + std::to_string(std::lround(many));
    if (own == 0) {
      own = many / few;
    } else {
      least_rival = std::isnan(least_rival) ? many / few : std::min(least_rival, many / few);
    }
  }
  out.figures = "rounds to 95 % of the final accuracy, K = 2 to K = 20: " + out.figures;
  out.holds = own < 3 && least_rival > own;
  return out;
}

Verification particles_for_rounds(const RunResult& result, const Subject& subject) {
  const CaseResult& fewer = case_where(result, {{"case", "N = 8, I = 6"}});
  const CaseResult& more = case_where(result, {{"case", "N = 4, I = 10"}});
  const double eight = final_mean(fewer, subject.label(), kAccuracy);
  const double four = final_mean(more, subject.label(), kAccuracy);
  return {.figures = "N = 8 with I = 6: " + number(eight) + ", N = 4 with I = 10: " + number(four),
          .holds = eight >= four - 0.01};
}

Verification parallel_beats_rivals(const RunResult& result, const Subject& subject) {
  constexpr Index kRound = 10;
  Verification out{.figures = {}, .holds = !result.cases.empty()};
  for (const CaseResult& case_result : result.cases) {
    const double own = mean_at(case_result, subject.label("p-dsvgd"), kAccuracy, kRound);
    const double fedavg = mean_at(case_result, "fedavg", kAccuracy, kRound);
    const double dsgld = mean_at(case_result, "dsgld", kAccuracy, kRound);
    out.figures += (out.figures.empty() ? "" : "; ") + case_result.coordinate("dataset") + " " +
                   subject.shown("P-DSVGD") + " " + number(own) + ", FedAvg " + number(fedavg) + ", DSGLD " +
                   number(dsgld);
    out.holds = out.holds && own > fedavg && own > dsgld;
  }
  return out;
}

Verification nine_sets_agree(const RunResult& result, const Subject& subject) {
  double sum = 0;
  double largest = 0;
  std::string where;
  for (const CaseResult& case_result : result.cases) {
    const double gap =
        std::abs(final_mean(case_result, subject.label(), kAccuracy) - final_mean(case_result, "svgd", kAccuracy));
    sum += gap;
    if (gap >= largest) {
      largest = gap;
      where = case_result.coordinate("dataset");
    }
  }
  if (result.cases.empty()) throw NothingToJudge("the run has no cases");
  const double mean = sum / static_cast<double>(result.cases.size());
  return {.figures = "mean |difference| over " + std::to_string(result.cases.size()) + " sets " + number(mean) +
                     ", largest " + number(largest) + " on " + where,
          .holds = mean <= 0.02};
}

}  // namespace

std::vector<Claim> binary_claims() {
  return {
      {"C3",
       "blr-rounds",
       "Covertype, K = 20, N = 6: DSVGD reaches 70 % in at most 8 rounds; FedAvg with the released weighting needs at "
       "least 10 times as many",
       few_rounds_on_covertype},
      {"C4",
       "blr-rounds",
       "binary sets, K = 2 and 20: DSVGD's final accuracy within 1.5 points of centralised SVGD's (median over sets) "
       "and not below DSGLD's or FedAvg's",
       as_good_as_centralised},
      {"C5",
       "blr-rounds",
       "Covertype: DSVGD's rounds to 95 % of its final accuracy grow by less than 3x from K = 2 to K = 20; FedAvg's by "
       "more",
       grows_little_with_agents},
      {"C6",
       "blr-particles",
       "more particles, fewer rounds: N = 8 with I = 6 is within 1 point of N = 4 with I = 10",
       particles_for_rounds},
      {"C8", "blr-parallel", "P-DSVGD, K = 100: above FedAvg and DSGLD after 10 rounds", parallel_beats_rivals},
      {"C11", "blr-datasets", "nine sets: mean |accuracy(DSVGD) - accuracy(SVGD)| at most 0.02", nine_sets_agree},
  };
}

}  // namespace fedstein
