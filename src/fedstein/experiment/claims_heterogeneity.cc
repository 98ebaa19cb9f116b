// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/experiment/claim_figures.h"
#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

constexpr const char* kLogLikelihood = "log_likelihood";

Verification split_does_not_matter(const RunResult& result, const Subject& subject) {
  Verification out{.figures = {}, .holds = true};
  for (const char* dataset : {"covertype", "twonorm"}) {
    const CaseResult& equal = case_where(result, {{"dataset", dataset}, {"case", "equal"}});
    const CaseResult& skewed = case_where(result, {{"dataset", dataset}, {"case", "40/10"}});
    const double same = final_mean(equal, subject.label(), kLogLikelihood);
    const double split = final_mean(skewed, subject.label(), kLogLikelihood);
    const double fedavg = final_mean(skewed, "fedavg", kLogLikelihood);
    out.figures += std::string(out.figures.empty() ? "" : "; ") + dataset + " " + subject.shown() + " equal " +
                   number(same) + ", 40/10 " + number(split) + ", FedAvg 40/10 " + number(fedavg);
    out.holds = out.holds && split >= same - 0.03 && split >= fedavg;
  }
  return out;
}

// Best mean over 20 consecutive rounds against the mean of the last 20.
Verification no_drift(const RunResult& result, const Subject& subject) {
  constexpr std::size_t kWindow = 20;
  Verification out{.figures = {}, .holds = !result.cases.empty()};
  for (const CaseResult& case_result : result.cases) {
    std::vector<double> values;
    for (const auto& [round, value] : mean_curve(method_in(case_result, subject.label()), kLogLikelihood))
      values.push_back(value);
    if (values.size() < kWindow) {
      throw NothingToJudge(case_result.name + " has " + std::to_string(values.size()) +
                           " evaluated rounds; 20 are needed");
    }
    std::vector<double> means;
    for (std::size_t begin = 0; begin + kWindow <= values.size(); ++begin) {
      double sum = 0;
      for (std::size_t i = begin; i < begin + kWindow; ++i) sum += values[i];
      means.push_back(sum / static_cast<double>(kWindow));
    }
    const double best = *std::max_element(means.begin(), means.end());
    out.figures += (out.figures.empty() ? "" : "; ") + case_result.name + ": best 20 rounds " + number(best) +
                   ", last 20 " + number(means.back());
    out.holds = out.holds && means.back() >= best - 0.01;
  }
  return out;
}

Verification feature_skew_is_learned(const RunResult& result, const Subject& subject) {
  const CaseResult& case_result = case_where(result, {});
  const double svgd = final_mean(case_result, "svgd", "accuracy");
  const double score = final_mean(case_result, subject.label(), "accuracy");
  Verification out{.figures = "SVGD " + number(svgd) + ", " + subject.shown("DSVGD score") + " " + number(score),
                   .holds = score >= svgd - 0.01};
  if (subject.own) return out;
  const double reference = final_mean(case_result, "dsvgd reference", "accuracy");
  out.figures += ", DSVGD reference " + number(reference);
  out.holds = out.holds && reference <= score - 0.20;
  return out;
}

}  // namespace

std::vector<Claim> heterogeneity_claims() {
  return {
      {"C7",
       "blr-heterogeneous",
       "DSVGD's log-likelihood on the 40/10 split within 0.03 of its homogeneous one after 24 rounds, and not below "
       "FedAvg's",
       split_does_not_matter},
      {"C12",
       "no-drift",
       "with score distillation the mean log-likelihood of the last 20 of 100 rounds is at most 0.01 below the best "
       "20-round mean",
       no_drift,
       "score distillation, of which c-dsvgd has none; the rest is asked"},
      {"C13",
       "feature-skew",
       "accuracy within 1 point of centralised SVGD; `reference` is at least 20 points lower",
       feature_skew_is_learned,
       "`reference`, a way to distil; c-dsvgd distils nothing"},
  };
}

}  // namespace fedstein
