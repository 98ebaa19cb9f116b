// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Numbers that one agent receives and sends in a round.
struct Traffic {
  Index down;
  Index up;
  Index up_once = 0;  // more of it with an agent's first update
};

struct TrafficShape {
  Index particles;  // N; for the point methods 1
  Index dimension;  // d
  Index agents;     // K
};

// The paper's complexity section: "N particles of dimensions d need to be exchanged at each communication round", each
// way, whatever the method calls them (chains, places, one point); "a fully factorized Gaussian requires only 2d". The
// rest follows from what a method exchanges besides.
inline Traffic traffic_of(const std::string& algorithm, const TrafficShape& shape) {
  const Index d = shape.dimension;
  const Index n = shape.particles;
  // The agent's ceil(N/K) chains ("DSGLD implementation"), each with its number.
  const Index lent = (n + shape.agents - 1) / shape.agents * (d + 1);
  if (algorithm == "dsgld") return {lent, lent};
  // All others' surrogate and their rows down; its own up, once.
  if (algorithm == "fsgld") return {lent + 2 * d + 1, lent, 2 * d};
  if (algorithm == "scaffold") return {2 * d, 2 * d};  // weights and control variate
  // SCAFFOLD's, and the momentum down.
  if (algorithm == "scaffold-m") return {3 * d, 2 * d};
  // Weights, momentum and mean gradient down; a gradient or weights up, in turn. Lite: weights and momentum down,
  // weights and a gradient up.
  if (algorithm == "mime") return {3 * d, d};
  if (algorithm == "mime-lite") return {2 * d, 2 * d};
  // Particles and control variates; d rates and the scores' weight down, a report of two numbers up.
  if (algorithm == "c-dsvgd") return {2 * n * d + d + 1, 2 * n * d + d + 2};
  // Particles, path and intercepts; one slope for all particles.
  if (algorithm == "curvature") return {3 * n * d + d, 3 * n * d + d};
  // Natural parameters, however many draws predict: of a mean field, or with one or two parameters of a full
  // covariance.
  if (algorithm == "pvi" || algorithm == "gvi") return d <= 2 ? Traffic{d + d * d, d + d * d} : Traffic{2 * d, 2 * d};
  if (algorithm == "ensemble_scaffold") return {2 * n * d, 2 * n * d};  // N times SCAFFOLD's
  if (algorithm == "fald") return {n * d + 1, n * d};                   // chains; the rows of the round
  if (algorithm == "vr-fald") return {2 * n * d + 1, 2 * n * d};        // and control variates
  if (algorithm == "fedep") return {2 * d, 2 * d};                      // always a mean field
  if (algorithm == "sdsvgd") return {2 * n * d, n * d};                 // the averaged likelihood's particles come down
  if (algorithm == "npv") return {n * (d + 1), n * (d + 1)};            // a mean and a variance per component
  return {n * d, n * d};
}

}  // namespace fedstein
