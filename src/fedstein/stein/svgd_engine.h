// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/svgd.h"

namespace fedstein {

// Who computes a whole run of SVGD: one local round of an agent is one call. An engine promises what svgd() promises:
// the particles are moved in place, or left as they came when it throws Divergence.
//
// An engine on other hardware looks at describe_terms() and takes over the rounds that it can rebuild. For all others
// (an unknown term, a kernel or step rule it does not have, a callback) it calls svgd() itself.
//
// Agents of one round call it at the same time.
class SvgdEngine {
 public:
  virtual ~SvgdEngine() = default;
  virtual SvgdSummary run(MatrixRef particles, const Terms& terms, const SvgdOptions& options) const = 0;
};

// svgd() on this machine's processor: the default of everything that takes an engine.
class CpuEngine : public SvgdEngine {
 public:
  SvgdSummary run(MatrixRef particles, const Terms& terms, const SvgdOptions& options) const override;
};

// A term whose score says what it is.
struct DescribedTerm {
  double weight;
  const Score* score;
  ScoreDescription what;
};
// All terms of a target, sums of scores taken apart. Borrows the scores.
std::vector<DescribedTerm> describe_terms(const Terms& terms);

}  // namespace fedstein
