// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/claims.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fedstein/config/own_names.h"
#include "fedstein/experiment/claim_figures.h"

namespace fedstein {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> joined;
    for (auto group : {toy_claims(), binary_claims(), heterogeneity_claims(), network_claims()}) {
      joined.insert(joined.end(), group.begin(), group.end());
    }
    return joined;
  }();
  return all;
}

std::vector<ClaimResult> check_claims(const RunResult& result) {
  const Subject subject{is_own_version(result.plan.name)};
  const std::string experiment = original_of(result.plan.name);
  std::vector<ClaimResult> out;
  for (const std::string& name : result.plan.claims) {
    for (const Claim& claim : claims()) {
      if (claim.name != name || claim.experiment != experiment) continue;
      ClaimResult checked{.name = name, .text = claim.text, .experiment = experiment, .own = subject.own};
      try {
        const Verification verification = claim.verify(result, subject);
        checked.figures = verification.figures;
        checked.holds = verification.holds;
      } catch (const NothingToJudge& missing) {
        checked.figures = std::string("cannot be judged: ") + missing.what();
      }
      if (subject.own && !claim.not_of_own.empty()) checked.figures += "; does not apply: " + claim.not_of_own;
      out.push_back(std::move(checked));
    }
  }
  return out;
}

std::string claims_json(const std::vector<ClaimResult>& results) {
  nlohmann::json out = nlohmann::json::array();
  for (const ClaimResult& result : results) {
    out.push_back({{"name", result.name},
                   {"claim", result.text},
                   {"settings", result.settings()},
                   {"figures", result.figures},
                   {"holds", result.holds}});
  }
  return out.dump(2);
}

}  // namespace fedstein
