// SPDX-License-Identifier: Apache-2.0
// An agent's approximate likelihood t_k, and the three ways in which DSVGD distils it from a round.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/methods/particles/local_round.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

struct DistillationOptions {
  std::string kind = "score";  // score | svgd | reference
  Index steps = 200;           // L' of the kinds that run SVGD
  double ridge = 1e-3;         // of score
};

// t_k between rounds. Holds numbers only; what it hands out lives as long as a round.
class Factor {
 public:
  virtual ~Factor() = default;

  // Score of t_k; of a constant before the first visit.
  virtual std::unique_ptr<Score> score() const = 0;
  // Score of the global posterior for which particles stand: q(0) is the prior itself, q(i) their KDE.
  virtual std::unique_ptr<Score> posterior(const Particles& particles, Index version) const;
  // t_k <- t_k q(i) / q(i-1).                                                                      [eq. t_k]
  // A distillation that diverges leaves the factor as it was and throws Divergence.
  virtual void distil(const LocalRound& round) = 0;

  // "score", "svgd", ...: whose memory it is.
  virtual std::string name() const = 0;
  // All that is kept, and back. recall() throws BadState for what cannot be this factor's: of `particles` rows.
  virtual std::vector<Matrix> memory() const = 0;
  virtual void recall(std::vector<Matrix> memory, Index particles) = 0;
  Index size() const;

 protected:
  Factor(const Model& model, double kde_bandwidth) : model_(&model), kde_bandwidth_(kde_bandwidth) {}
  const Model& model() const { return *model_; }
  double kde_bandwidth() const { return kde_bandwidth_; }
  // q(i) and q(i-1).
  std::pair<std::unique_ptr<Score>, std::unique_ptr<Score>> posteriors(const LocalRound& round) const;

 private:
  const Model* model_;
  double kde_bandwidth_;
};

// `score`, our default: keeps the score itself at the particles, a ScoreField of 2 N d numbers. No SVGD, one N x N
// solve. `svgd`, the paper's: N local particles that stand for p0 t_k, moved by L' SVGD steps.             [eq.
// nu_updates_dsvgd] `reference`, the released code's: floored KDEs and the prior at every agent; see FlooredKde.
// `start`: the federation's initial particles, where `svgd` and `reference` begin.
std::unique_ptr<Factor> make_factor(const Model& model,
                                    const ParticleOptions& options,
                                    const DistillationOptions& distillation,
                                    const Particles& start);

}  // namespace fedstein
