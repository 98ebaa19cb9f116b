// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/dsvgd.h"

namespace fedstein {

// Unconstrained DSVGD: DSVGD's rounds, but the factor is kept exactly, as the particles of every round of its agent:
//
//   t_k(i) = product over k's rounds j <= i of  q(j) / q(j-1)                             [eq. t_part_udsvgd]
//
// Memory grows by 2 N d numbers a visit (N d the first time, when q(0) is the prior), and the work of a round with it.
class BufferFactor : public Factor {
 public:
  BufferFactor(const Model& model, const ParticleOptions& options) : Factor(model, options.kde_bandwidth) {}

  std::unique_ptr<Score> score() const override;
  void distil(const LocalRound& round) override { rounds_.push_back(round); }
  std::vector<Matrix> memory() const override;
  std::string name() const override { return "buffer"; }
  void recall(std::vector<Matrix> memory, Index particles) override;

 private:
  std::vector<LocalRound> rounds_;
};

Algorithm u_dsvgd_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
