// SPDX-License-Identifier: Apache-2.0
// What an agent of factor = "curvature" believes of all the others' factors during its round.
#pragma once

#include "fedstein/methods/curvature/curvature_factor.h"

namespace fedstein {

// score(x) - score(Z), minibatch by minibatch. Borrows both.
class ChangeSince : public Score {
 public:
  ChangeSince(const Score& score, const Particles& z) : score_(&score), z_(&z) {}
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  const Score* score_;
  const Particles* z_;
};

// value - slope * (x - Z), particle by particle; all N x d.
class LineScore : public Score {
 public:
  LineScore(Matrix value, Matrix slope, Particles z)
      : value_(std::move(value)), slope_(std::move(slope)), z_(std::move(z)) {}
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  Matrix value_;
  Matrix slope_;
  Particles z_;
};

class OthersModel {
 public:
  // `here`: the own factor at the particles `z`; `mine`: what the belief holds of it.
  OthersModel(const AgentContext& context,
              const CurvatureOptions& options,
              const Belief& belief,
              const FactorLine& mine,
              const Particles& z,
              const FactorMeasure& here);

  // c: how many times the own likelihood stands for the others.
  double likeness() const { return likeness_; }
  // S + O - R (x - Z), with R raised where `trust` asks for it.
  LineScore line(const Score& prior) const;
  // From Z to `next`, as the others' factors see it: what their score lost, over their curvature. Where they have no
  // curvature, the way itself.
  Matrix way(const Particles& next, const Matrix& own_score_there) const;

 private:
  double trust_;
  Particles z_;
  FactorMeasure here_;
  Matrix score_;      // O, N x d
  Matrix curvature_;  // Lo, 1 x d
  double likeness_;
  Matrix residual_;  // (Lo - c F)+, 1 x d
};

}  // namespace fedstein
