// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/pending_update.h"
#include "fedstein/methods/p_dsvgd.h"

namespace fedstein {

// The agent of P-DSVGD's fold `paper`: distils before it uploads, and uploads its local particles instead of the global
// ones, as the paper's algorithm has it.                                                       [algo:P_DSVGD]
class PDsvgdPaperAgent : public AgentSide {
 public:
  PDsvgdPaperAgent(const AgentContext& context, const PDsvgdSetup& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  std::unique_ptr<Factor> fresh_factor() const;

  AgentContext context_;
  PDsvgdSetup options_;
  LocalSvgd svgd_;
  std::unique_ptr<Factor> factor_;
  PendingUpdate pending_;  // the factor
};

}  // namespace fedstein
