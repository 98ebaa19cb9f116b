// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/claim_figures.h"
#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

constexpr std::size_t kLastRounds = 5;
constexpr double kCloseKl = 0.05;

Verification close_to_svgd(const RunResult& result, const Subject& subject) {
  const CaseResult& toy = case_where(result, {{"case", "rounds"}});
  const double svgd = final_mean(toy, "svgd", "kl");
  const double pvi = mean_of_last(toy, "pvi", "kl", kLastRounds);
  const double gvi = mean_of_last(toy, "gvi", "kl", kLastRounds);
  Verification out{.figures = "SVGD " + number(svgd) + ", PVI " + number(pvi) + ", GVI " + number(gvi), .holds = true};
  std::vector<std::string> labels = {subject.label()};
  if (!subject.own) labels.emplace_back("u-dsvgd");
  for (const std::string& label : labels) {
    const double kl = mean_of_last(toy, label, "kl", kLastRounds);
    out.figures += ", " + label + " " + number(kl);
    out.holds = out.holds && kl <= svgd + kCloseKl && kl < pvi && kl < gvi;
  }
  return out;
}

Verification better_than_gaussians(const RunResult& result, const Subject& subject) {
  const CaseResult& toy = case_where(result, {});
  const double gvi = final_mean(toy, "gvi", "kl");
  const double pvi = final_mean(toy, "pvi", "kl");
  const double svgd = final_mean(toy, "svgd", "kl");
  const double dsvgd = final_mean(toy, subject.label(), "kl");
  Verification out;
  out.figures = "KL at 0.55: SVGD " + number(svgd) + ", " + subject.shown() + " " + number(dsvgd) + ", GVI " +
                number(gvi) + ", PVI " + number(pvi) + "; at 0.1: SVGD " + number(final_mean(toy, "svgd", "kl@0.1")) +
                ", " + subject.shown() + " " + number(final_mean(toy, subject.label(), "kl@0.1"));
  out.holds = std::max(svgd, dsvgd) < std::min(gvi, pvi);
  return out;
}

}  // namespace

std::vector<Claim> toy_claims() {
  return {
      {"C1",
       "toy-1d-kl",
       "DSVGD and U-DSVGD, mean of the last five of 20 rounds, within 0.05 of SVGD's KL and below PVI's and GVI's",
       close_to_svgd,
       "U-DSVGD, which keeps old particles at the agents; c-dsvgd has no such form"},
      {"C2", "toy-2d", "KL of SVGD and DSVGD, at bandwidth 0.55, below GVI's and PVI's", better_than_gaussians},
  };
}

}  // namespace fedstein
