// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "fedstein/metrics/arguments.h"

namespace fedstein {
namespace {

using ConstScores = Eigen::Ref<const DoubleVector>;

// Rows by falling value.
std::vector<Index> falling(const ConstScores& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) > values(b); });
  return order;
}

// One past the last rank whose value equals that at `begin`.
std::size_t end_of_tie(const ConstScores& values, const std::vector<Index>& order, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < order.size() && values(order[end]) == values(order[begin])) ++end;
  return end;
}

}  // namespace

// Per tie, each positive beats every negative below and half of those beside it.
double auroc(const ConstScores& scores, std::span<const Index> labels) {
  constexpr const char* kWho = "auroc";
  check_no_nan(kWho, "scores", scores);
  check_labels(kWho, labels, scores.size(), 2);
  const auto all = static_cast<double>(labels.size());
  const auto positives = static_cast<double>(std::count(labels.begin(), labels.end(), Index{1}));
  check_argument(positives > 0 && positives < all,
                 kWho,
                 "all " + std::to_string(labels.size()) + " labels are " + std::to_string(labels[0]) +
                     "; both 0 and 1 must occur");
  const double negatives = all - positives;
  const std::vector<Index> order = falling(scores);
  double wins = 0;
  double negatives_above = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = end_of_tie(scores, order, begin);
    double tied_positives = 0;
    for (std::size_t rank = begin; rank < end; ++rank) {
      tied_positives += static_cast<double>(labels[static_cast<std::size_t>(order[rank])]);
    }
    const double tied_negatives = static_cast<double>(end - begin) - tied_positives;
    wins += tied_positives * (negatives - negatives_above - tied_negatives / 2);
    negatives_above += tied_negatives;
  }
  return wins / (positives * negatives);
}

RiskCoverage risk_coverage(const ConstScores& confidences, const ConstScores& losses) {
  constexpr const char* kWho = "risk_coverage";
  check_no_nan(kWho, "confidences", confidences);
  check_rows(kWho, "losses", losses.size(), confidences.size());
  for (Index row = 0; row < losses.size(); ++row) {
    if (std::isfinite(losses(row))) continue;
    check_argument(false, kWho, value_in_row("losses", losses(row), row) + "; every value must be finite");
  }
  const auto all = static_cast<double>(confidences.size());
  const std::vector<Index> order = falling(confidences);
  RiskCoverage out;
  double lost = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = end_of_tie(confidences, order, begin);
    double tied = 0;
    for (std::size_t rank = begin; rank < end; ++rank) tied += losses(order[rank]);
    const double share = tied / static_cast<double>(end - begin);
    for (std::size_t kept = begin + 1; kept <= end; ++kept) {
      out.area += (lost + share * static_cast<double>(kept - begin)) / static_cast<double>(kept);
    }
    lost += tied;
    const auto kept = static_cast<double>(end);
    out.points.push_back({confidences(order[begin]), kept / all, lost / kept});
  }
  out.area /= all;
  return out;
}

std::vector<AbstentionPoint> accuracy_when_abstaining(const ConstScores& confidences,
                                                      const ConstScores& losses,
                                                      std::span<const double> fractions) {
  constexpr const char* kWho = "accuracy_when_abstaining";
  for (Index row = 0; row < losses.size(); ++row) {
    if (losses(row) == 0 || losses(row) == 1) continue;
    check_argument(false, kWho, value_in_row("losses", losses(row), row) + "; it must be 0 or 1");
  }
  const RiskCoverage curve = risk_coverage(confidences, losses);
  std::vector<AbstentionPoint> out;
  for (const double fraction : fractions) {
    check_argument(fraction >= 0 && fraction < 1,
                   kWho,
                   "a fraction is " + to_text(fraction) + "; it must be at least 0 and below 1");
    // A billionth of slack: 1 - 1.0 / 3 is above 2.0 / 3.
    const auto enough = [&](const RiskCoveragePoint& point) { return point.coverage >= 1 - fraction - 1e-9; };
    const auto at = std::find_if(curve.points.begin(), curve.points.end(), enough);
    out.push_back({fraction, 1 - at->coverage, at->threshold, 1 - at->risk});
  }
  return out;
}

}  // namespace fedstein
