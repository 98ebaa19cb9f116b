// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/pending_update.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

// Centralised SVGD as the paper compares with it: one agent with all the data, whose loop goes on over the rounds (the
// step rule's memory included), so that I rounds of L steps are one run of I x L.
class SvgdAgent : public AgentSide {
 public:
  SvgdAgent(const AgentContext& context, const ParticleOptions& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  AgentContext context_;
  ParticleOptions options_;
  LocalSvgd svgd_;
  Index steps_ = 0;             // done so far
  std::vector<Matrix> memory_;  // of the step rule after them
  PendingUpdate pending_;       // the step rule's memory
};

Algorithm svgd_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
