// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federated_calibration.h"

#include <map>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Sums of counts that agents sent. An agent whose counts cannot be, or are of another number of bins, is left out.
std::optional<ReliabilityBins> sum_of(const DeskStatus& desk, Index version) {
  std::optional<ReliabilityBins> sum;
  for (const AgentStatus& agent : desk.agents) {
    if (agent.calibration.bins.empty() || agent.calibration.version != version) continue;
    try {
      const ReliabilityBins bins = ReliabilityBins::from_bins(agent.calibration.bins);
      if (sum) {
        *sum += bins;
      } else {
        sum = bins;
      }
    } catch (const InvalidArgument&) {  // theirs, not ours: the others' counts are still worth telling
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
  const std::optional<ReliabilityBins> sum = sum_of(desk, out.version);
  if (!sum || sum->rows() == 0) return std::nullopt;
  out.bins = sum->bins();
  out.rows = sum->rows();
  std::int64_t correct = 0;
  for (const ReliabilityBin& bin : out.bins) correct += bin.correct;
  out.accuracy = static_cast<double>(correct) / static_cast<double>(out.rows);
  out.expected_error = sum->expected_error();
  out.maximum_error = sum->maximum_error();
  return out;
}

}  // namespace fedstein
