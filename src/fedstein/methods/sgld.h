// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/langevin/langevin.h"

namespace fedstein {

// Stochastic gradient Langevin dynamics (Welling and Teh 2011), centralised: N independent chains on all data,
//
//   theta += step/2 [ d log p0 + 1/alpha d log p(data | theta) ] + sqrt(step) N(0, I),   step = a0 (0.5 + t)^-0.55,
//
// whose t goes on over the rounds: I rounds of L steps are one run of I x L. What predicts is the N chains' last
// states, as in the paper's comparison; thinning and averaging over time are the caller's.
//
// Choices. a0 and the schedule are the DSVGD paper's (its appendix and table:a_0). Its 0.01 is too long a step for half
// a million rows: on Covertype 0.001, chosen on held-out rows, takes the log-likelihood of 20,000 steps from -0.58 to
// -0.51 (docs/results/rivals.md). "Independent" is taken at its
// word: chains have their own noise and their own minibatches; in the released code they share both (`noise`,
// `chain_batches`), its noise has deviation step^2 in place of sqrt(step), and the whole move is divided by N
// (`scale_by_particles` divides the step, the noise following it).
class SgldAgent : public AgentSide {
 public:
  SgldAgent(const AgentContext& context, const LangevinOptions& options) : context_(context), options_(options) {}

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return 0; }

 private:
  AgentContext context_;
  LangevinOptions options_;
  Index steps_ = 0;          // done so far: t
  Index pending_round_ = 0;  // 0: none
};

Algorithm sgld_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
