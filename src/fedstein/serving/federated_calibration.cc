// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federated_calibration.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fedstein {
namespace {

// Sums of counts that agents sent: they may be of different numbers of bins, and are not to be believed further than
// the wire's checks go.
std::vector<ReliabilityBin> sum_of(const DeskStatus& desk, Index version) {
  std::vector<ReliabilityBin> sum;
  for (const AgentStatus& agent : desk.agents) {
    const auto& bins = agent.calibration.bins;
    if (bins.empty() || agent.calibration.version != version) continue;
    if (sum.empty()) sum.resize(bins.size());
    if (sum.size() != bins.size()) continue;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sum[i].count += bins[i].count;
      sum[i].correct += bins[i].correct;
      sum[i].confidence_sum += bins[i].confidence_sum;
    }
  }
  return sum;
}

}  // namespace

std::optional<FederatedCalibration> federated_calibration(const DeskStatus& desk) {
  // The belief that most agents have judged, the newest of several: no single agent decides which.
  std::map<Index, Index> judges;
  for (const AgentStatus& agent : desk.agents) {
    if (!agent.calibration.bins.empty()) ++judges[agent.calibration.version];
  }
  FederatedCalibration out{.version = -1};
  for (const auto& [version, agents] : judges) {
    if (out.version < 0 || agents >= judges.at(out.version)) out.version = version;
  }
  out.bins = sum_of(desk, out.version);
  for (const ReliabilityBin& bin : out.bins) {
    out.rows += bin.count;
    out.accuracy += static_cast<double>(bin.correct);
  }
  if (out.rows == 0) return std::nullopt;
  const auto rows = static_cast<double>(out.rows);
  out.accuracy /= rows;
  for (const ReliabilityBin& bin : out.bins) {
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    const double gap = std::abs(static_cast<double>(bin.correct) - bin.confidence_sum) / count;
    out.expected_error += gap * count / rows;
    out.maximum_error = std::max(out.maximum_error, gap);
  }
  return out;
}

}  // namespace fedstein
