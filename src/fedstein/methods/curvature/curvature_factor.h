// SPDX-License-Identifier: Apache-2.0
// Factors kept as lines, for agents that differ: what DSVGD and P-DSVGD do under factor = "curvature".
#pragma once

#include <string>
#include <vector>

#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

struct CurvatureOptions : ParticleOptions {
  double trust = 2;      // how far, per coordinate, a round follows what is only known of other agents
  Index score_rows = 0;  // rows by which an agent measures its factor; 0: all
  bool parallel = false;
};

// What server and agents exchange. All factors together have at particle n the score  intercept - slope * path, row by
// row: each agent's factor is its likelihood's own score, exact where it was last measured, continued by its curvature.
//
// The path D is the distance that the particles have moved, in units of the factors: the length of each step times the
// curvature on the way, divided by the curvature that was expected. The line uses it instead of the particles
// themselves because curvature is not constant (a sigmoid's vanishes far out) and not diagonal. The agent that moves
// the particles can tell by how much, from its own data.
enum CurvatureBelief : std::size_t {
  kBeliefParticles,  // Z, N x d
  kBeliefPath,       // D, N x d; 0 at the start
  kBeliefIntercept,  // sum over agents of S_k + F_k D_k, N x d; 0 before anybody was heard
  kBeliefSlope,      // Lambda = sum of F_k, 1 x d
};
inline constexpr std::size_t kBeliefParts = 4;

// One agent's factor: 0 before its first visit.
struct FactorLine {
  Matrix intercept;  // N x d
  Matrix slope;      // 1 x d, never negative

  static FactorLine zero(Index particles, Index dimension);
  // Through the score S (N x d) at the path D (N x d).
  static FactorLine through(const Matrix& score, const Matrix& path, const Matrix& slope);
  Matrix at(const Matrix& path) const;
};

// An agent's likelihood at given particles, to the power 1/alpha.
struct FactorMeasure {
  Matrix score;      // N x d
  Matrix curvature;  // 1 x d, Gauss-Newton diagonal, mean over the particles
};
// By all rows, or by `score_rows` of them that depend on (seed, agent, round) alone.
FactorMeasure measure_factor(const AgentContext& context,
                             const CurvatureOptions& options,
                             const Particles& particles,
                             Index round);

// trust, score_rows.
std::vector<Setting> curvature_settings();
CurvatureOptions curvature_options(const Settings& settings);
// Throws InvalidArgument for a model without a Gauss-Newton diagonal.
void check_has_gauss_newton(const Model& model);

}  // namespace fedstein
