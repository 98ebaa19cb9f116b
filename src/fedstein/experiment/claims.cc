// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/claims.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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
  std::vector<ClaimResult> out;
  for (const std::string& name : result.plan.claims) {
    for (const Claim& claim : claims()) {
      if (claim.name != name || claim.experiment != result.plan.name) continue;
      ClaimResult checked{.name = name, .text = claim.text};
      try {
        const Verification verification = claim.verify(result);
        checked.figures = verification.figures;
        checked.holds = verification.holds;
      } catch (const NothingToJudge& missing) {
        checked.figures = std::string("cannot be judged: ") + missing.what();
      }
      out.push_back(std::move(checked));
    }
  }
  return out;
}

std::string claims_text(const std::vector<ClaimResult>& results, bool rich) {
  std::string out;
  for (const ClaimResult& result : results) {
    const char* verdict = result.holds ? "holds" : (rich ? "\x1b[1mFAILS\x1b[0m" : "FAILS");
    out += result.name + std::string(result.name.size() < 3 ? "   " : "  ") + verdict + "  " + result.text + "\n" +
           "            " + result.figures + "\n";
  }
  return out;
}

std::string claims_json(const std::vector<ClaimResult>& results) {
  nlohmann::json out = nlohmann::json::array();
  for (const ClaimResult& result : results) {
    out.push_back(
        {{"name", result.name}, {"claim", result.text}, {"figures", result.figures}, {"holds", result.holds}});
  }
  return out.dump(2);
}

}  // namespace fedstein
