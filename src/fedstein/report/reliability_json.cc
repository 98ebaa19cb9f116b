// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/reliability_json.h"

#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// Trials with other bins than the first (which the store does not make) would not add up: they are left out.
void add(std::vector<ReliabilityBin>& sum, const std::vector<ReliabilityBin>& bins) {
  if (sum.empty()) {
    sum = bins;
    return;
  }
  if (sum.size() != bins.size()) return;
  for (std::size_t i = 0; i < bins.size(); ++i) sum[i] += bins[i];
}

}  // namespace

Json reliability_json(const RunStore& store, std::size_t case_index, const MethodResult& method) {
  Index last = 0;
  std::vector<StoredReliability> diagrams;
  for (const TrialResult& trial : method.trials) {
    for (StoredReliability& one : store.reliability(trial.job)) {
      last = std::max(last, one.round);
      diagrams.push_back(std::move(one));
    }
  }
  std::vector<ReliabilityBin> sum;
  for (const StoredReliability& one : diagrams) {
    if (one.round == last) add(sum, one.bins);
  }
  return reliability_json(case_index, method.label, last, sum);
}

Json reliability_json(std::size_t case_index,
                      const std::string& label,
                      Index round,
                      const std::vector<ReliabilityBin>& sum) {
  double rows = 0;
  for (const ReliabilityBin& bin : sum) rows += static_cast<double>(bin.count);
  if (rows == 0) return nullptr;
  Json bins = Json::array();
  double expected = 0;
  double greatest = 0;
  const auto size = static_cast<Index>(sum.size());
  for (Index i = 0; i < size; ++i) {
    const ReliabilityBin& bin = sum[static_cast<std::size_t>(i)];
    const auto count = static_cast<double>(bin.count);
    Json out = {{"low", rounded(reliability_edge(i, size), kMeanDigits)},
                {"high", rounded(reliability_edge(i + 1, size), kMeanDigits)},
                {"count", bin.count},
                {"confidence", nullptr},
                {"accuracy", nullptr}};
    if (bin.count > 0) {
      const double gap = std::abs(static_cast<double>(bin.correct) - bin.confidence_sum) / count;
      expected += count / rows * gap;
      greatest = std::max(greatest, gap);
      out["confidence"] = rounded(bin.confidence_sum / count, kMeanDigits);
      out["accuracy"] = rounded(static_cast<double>(bin.correct) / count, kMeanDigits);
    }
    bins.push_back(std::move(out));
  }
  return {{"case", case_index},
          {"algorithm", label},
          {"round", round},
          {"bins", bins},
          {"ece", rounded(expected, kMeanDigits)},
          {"mce", rounded(greatest, kMeanDigits)}};
}

}  // namespace fedstein
