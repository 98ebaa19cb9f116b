// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fedstein/methods/particles/factor.h"

namespace fedstein {

struct DsvgdSetup : ParticleOptions {
  DistillationOptions distillation = {};
};

// Distributed Stein variational gradient descent: the paper's Algorithm 1, with its distillation (algo2).
//
// Agent k keeps its factor t_k, the server N particles of q. A round at agent k:
//
//   L SVGD steps from the server's particles on   q(i-1) / t_k(i-1) exp(-L_k / alpha)     [eq. tilted_udsvgd]
//   upload; the server's particles are now these: q(i)
//   while the next agent works, distil            t_k(i) = t_k(i-1) q(i) / q(i-1)         [eq. t_k, nu_updates_dsvgd]
class DsvgdAgent : public AgentSide {
 public:
  DsvgdAgent(const AgentContext& context, const ParticleOptions& options, std::unique_ptr<Factor> factor);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;

  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return factor_->size() + size_of(pending_); }

 private:
  AgentContext context_;
  ParticleOptions options_;
  LocalSvgd svgd_;
  std::unique_ptr<Factor> factor_;     // t_k
  std::optional<LocalRound> pending_;  // an update that waits for its verdict
};

std::vector<Setting> dsvgd_settings();
DsvgdSetup dsvgd_options(const Settings& settings);
// factor = "curvature": other halves altogether, see curvature_agent.h.
bool has_curvature_factors(const Settings& settings);
Algorithm dsvgd_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
