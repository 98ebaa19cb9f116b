// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/reliability_json.h"

#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// Trials with other bins than the first (which the store does not make) would not add up: they are left out.
void add(std::vector<StoredBin>& sum, const std::vector<StoredBin>& bins) {
  if (sum.empty()) {
    sum = bins;
    return;
  }
  if (sum.size() != bins.size()) return;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    sum[i].count += bins[i].count;
    sum[i].correct += bins[i].correct;
    sum[i].confidence_sum += bins[i].confidence_sum;
  }
}

}  // namespace

Json reliability_json(const RunStore& store, std::size_t setting, const MethodResult& method) {
  Index last = 0;
  std::vector<StoredReliability> diagrams;
  for (const TrialResult& trial : method.trials) {
    for (StoredReliability& one : store.reliability(trial.job)) {
      last = std::max(last, one.round);
      diagrams.push_back(std::move(one));
    }
  }
  std::vector<StoredBin> sum;
  for (const StoredReliability& one : diagrams) {
    if (one.round == last) add(sum, one.bins);
  }
  double rows = 0;
  for (const StoredBin& bin : sum) rows += static_cast<double>(bin.count);
  if (rows == 0) return nullptr;
  Json bins = Json::array();
  double expected = 0;
  double greatest = 0;
  for (const StoredBin& bin : sum) {
    const auto count = static_cast<double>(bin.count);
    Json out = {{"low", rounded(bin.low, kMeanDigits)},
                {"high", rounded(bin.high, kMeanDigits)},
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
  return {{"case", setting},
          {"algorithm", method.label},
          {"round", last},
          {"bins", bins},
          {"ece", rounded(expected, kMeanDigits)},
          {"mce", rounded(greatest, kMeanDigits)}};
}

}  // namespace fedstein
