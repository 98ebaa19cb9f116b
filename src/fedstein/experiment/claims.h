// SPDX-License-Identifier: Apache-2.0
// The paper's claims, and two of ours, put to the test on a run's results. A claim that fails is reported with its
// figures; nothing here is tuned so that it holds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fedstein/experiment/results.h"

namespace fedstein {

struct Verification {
  std::string figures = {};  // the numbers it rests on
  bool holds = false;
};

struct Claim {
  std::string name = {};        // C1 ... C13
  std::string experiment = {};  // whose results it is about
  std::string text = {};
  std::function<Verification(const RunResult&)> verify = {};
};

const std::vector<Claim>& claims();

struct ClaimResult {
  std::string name = {};
  std::string text = {};
  std::string figures = {};
  bool holds = false;
};

// The claims that the run's plan names. Results that lack what a claim is about (a method, a round) fail it, and its
// figures say what is missing.
std::vector<ClaimResult> check_claims(const RunResult& result);

std::string claims_text(const std::vector<ClaimResult>& results, bool rich);
std::string claims_json(const std::vector<ClaimResult>& results);

// The three groups that claims() joins.
std::vector<Claim> toy_claims();
std::vector<Claim> binary_claims();
std::vector<Claim> heterogeneity_claims();
std::vector<Claim> network_claims();

}  // namespace fedstein
