// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/federated/pending_update.h"
#include "fedstein/methods/curvature/curvature_factor.h"

namespace fedstein {

// An agent of factor = "curvature". It knows its own likelihood and, of all others, a score O at the particles Z and a
// curvature Lo. A round:
//
//   measure                S, F: score and curvature of the own likelihood at Z
//   c = <Lo, F> / <F, F>   how well the own data stand for the others'; at most (n - n_k) / n_k
//   L SVGD steps on        prior(x) + (1 + c) [loglik_k(x) - loglik_k(Z)] + S + O - R (x - Z),   R = (Lo - c F)+
//   upload                 Z', the path, what changed in the own line
//
// At Z this is the exact centralised score whatever the split. Away from it the others' part changes as far as possible
// as the own likelihood does (which knows saturation and correlation), and by their diagonal where it does not: on iid
// shards R = 0, where no feature is shared c = 0. Minibatches see the difference between x and Z, so that their noise
// vanishes at a fixed point; steps fall to 0 over the round.
//
// Far out curvature vanishes and any score seems to last for ever: `trust` t raises R, in coordinates where the others'
// score is the larger part o of what is known, until the total score T is used up within t: (R + ...) >= o |T| / t.
//
// Keeps N d + d numbers, twice that while an upload waits.
class CurvatureAgent : public AgentSide {
 public:
  CurvatureAgent(const AgentContext& context, const CurvatureOptions& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  AgentContext context_;
  CurvatureOptions options_;
  LocalSvgd svgd_;
  FactorLine mine_;
  PendingUpdate pending_;  // the line that follows
};

}  // namespace fedstein
