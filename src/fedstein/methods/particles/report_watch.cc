// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/report_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fedstein {
namespace {

constexpr Index kOnce = 20;                       // reports that make up for one
constexpr Index kMostOverflows = 10 * kOnce;      // that are obeyed
constexpr Index kMostDisproportions = 3 * kOnce;  // that are counted
constexpr double kProportion = 5;                 // of an agent's change to the median
constexpr double kLargest = 10;                   // of an agent's likelihood to the median
constexpr double kLeastMedian = 0.05;             // densities of regressions pass through 0
constexpr std::size_t kFewest = 3;                // agents of a median

// Whether one more may be forgiven; if so it is written down.
bool forgiven(Index& debt, Index most) {
  if (debt + kOnce > most) return false;
  debt += kOnce;
  return true;
}

void pay_back(Index& debt) {
  debt = std::max<Index>(0, debt - 1);
}

}  // namespace

void ReportWatch::hear(const BeliefReport& report) {
  Agent& agent = agents_.at(static_cast<std::size_t>(report.agent));
  agent.weight = report.weight;
  agent.overflows = report.overflow != BeliefReport::Overflow::kNone;
  if (agent.overflows) return;
  agent.change = agent.reports > 0 ? report.likelihood + report.prior - agent.likelihood - agent.prior : 0;
  agent.likelihood = report.likelihood;
  agent.prior = report.prior;
  ++agent.reports;
}

bool ReportWatch::most_overflow() const {
  double all = 0;
  double overflowing = 0;
  for (const Agent& agent : agents_) {
    all += agent.weight;
    if (agent.overflows) overflowing += agent.weight;
  }
  return 2 * overflowing > all;
}

double ReportWatch::median(double Agent::*value, Index least_reports) const {
  std::vector<std::pair<double, double>> sizes;
  double all = 0;
  for (const Agent& agent : agents_) {
    if (agent.reports < least_reports) continue;
    sizes.emplace_back(std::abs(agent.*value), agent.weight);
    all += agent.weight;
  }
  if (sizes.size() < kFewest) return -1;
  std::sort(sizes.begin(), sizes.end());
  double below = 0;
  for (const auto& [size, weight] : sizes) {
    below += weight;
    if (2 * below >= all) return size;
  }
  return sizes.back().first;
}

ReportWatch::Sifted ReportWatch::sift(const std::vector<BeliefReport>& reports) {
  for (const BeliefReport& report : reports) {
    if (report.weight > 0) hear(report);
  }
  Sifted out;
  out.common_overflow = most_overflow();
  const double usual_change = median(&Agent::change, 2);
  const double usual_likelihood = median(&Agent::likelihood, 1);
  const double largest = usual_likelihood < 0 ? HUGE_VAL : kLargest * std::max(usual_likelihood, kLeastMedian);
  const auto bounded = [&](BeliefReport report) {
    report.likelihood = std::clamp(report.likelihood, -largest, largest);
    return report;
  };
  bool blamed = false;  // a halving is put down to one agent only
  for (const BeliefReport& report : reports) {
    if (report.weight <= 0) continue;
    Agent& agent = agents_.at(static_cast<std::size_t>(report.agent));
    if (agent.overflows) {
      if (out.common_overflow) {
        out.followed.push_back(bounded(report));
      } else if (forgiven(agent.overflow_debt, kMostOverflows)) {
        out.followed.push_back(bounded(report));
        if (!std::exchange(blamed, true)) ++agent.halvings;
      } else {
        out.left_out.push_back(report.agent);
        out.given_back += std::exchange(agent.halvings, 0);
      }
      continue;
    }
    pay_back(agent.overflow_debt);
    agent.halvings = std::min(agent.halvings, (agent.overflow_debt + kOnce - 1) / kOnce);
    const bool disproportionate = usual_change >= 0 && std::abs(agent.change) > kProportion * usual_change;
    if (!disproportionate) pay_back(agent.disproportion_debt);
    if (disproportionate && !forgiven(agent.disproportion_debt, kMostDisproportions)) continue;
    out.followed.push_back(bounded(report));
  }
  return out;
}

void ReportWatch::write(StateWriter& writer) const {
  for (const Agent& agent : agents_) {
    for (const double value : {agent.weight, agent.likelihood, agent.prior, agent.change}) writer.number(value);
    writer.integer(agent.overflows ? 1 : 0);
    for (const Index value : {agent.reports, agent.overflow_debt, agent.disproportion_debt, agent.halvings}) {
      writer.integer(value);
    }
  }
}

ReportWatch ReportWatch::read(StateReader& reader) const {
  ReportWatch found = *this;
  bool sound = true;
  const auto count = [&](Index most) {
    const Index value = reader.integer();
    sound = sound && value >= 0 && value <= most;
    return value;
  };
  for (Agent& agent : found.agents_) {
    for (double* value : {&agent.weight, &agent.likelihood, &agent.prior, &agent.change}) {
      *value = reader.number();
      sound = sound && std::isfinite(*value);
    }
    sound = sound && agent.weight >= 0;
    agent.overflows = count(1) == 1;
    agent.reports = count(std::numeric_limits<Index>::max());
    agent.overflow_debt = count(kMostOverflows);
    agent.disproportion_debt = count(kMostDisproportions);
    agent.halvings = count(kMostOverflows / kOnce);
  }
  if (!sound) throw BadState("saved state: reports that no agent could have sent");
  return found;
}

}  // namespace fedstein
