// SPDX-License-Identifier: Apache-2.0
// The paper's claims, and two of ours, put to the test on a run's results: a run with the paper's settings, or its own
// version with fedstein's (config/own_version.h), where c-dsvgd stands in DSVGD's place. A claim that fails is reported
// with its figures; nothing here is tuned so that it holds.
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

// The method that a claim is about.
struct Subject {
  bool own = false;  // c-dsvgd

  // Its label in results, and its name in sentences. DSVGD unless the claim is about another of the paper's.
  std::string label(const std::string& of_paper = "dsvgd") const { return own ? "c-dsvgd" : of_paper; }
  std::string shown(const std::string& of_paper = "DSVGD") const { return own ? "c-DSVGD" : of_paper; }
};

struct Claim {
  std::string name = {};        // C1 ... C13
  std::string experiment = {};  // whose results it is about
  std::string text = {};
  std::function<Verification(const RunResult&, const Subject&)> verify = {};
  std::string not_of_own = {};  // the part that makes no sense for c-dsvgd, and why; empty: all of it does
};

const std::vector<Claim>& claims();

struct ClaimResult {
  std::string name = {};
  std::string text = {};
  std::string figures = {};
  bool holds = false;
  std::string experiment = {};
  bool own = false;  // of fedstein's own settings; else of the paper's

  const char* settings() const { return own ? "fedstein" : "paper"; }
};

// The claims that the run's plan names. Results that lack what a claim is about (a method, a round) fail it, and its
// figures say what is missing.
std::vector<ClaimResult> check_claims(const RunResult& result);

// Results of one claim with the paper's settings and with fedstein's own stand side by side.
std::string claims_text(const std::vector<ClaimResult>& results, bool rich);
std::string claims_json(const std::vector<ClaimResult>& results);

// The groups that claims() joins.
std::vector<Claim> toy_claims();
std::vector<Claim> binary_claims();
std::vector<Claim> heterogeneity_claims();
std::vector<Claim> network_claims();

}  // namespace fedstein
