// SPDX-License-Identifier: Apache-2.0
// The Wasserstein barycentre of sets of particles: the server of FedWBA (Wei, Mei, Lyu, Zhang, Zhou and Sun 2025,
// "Personalized Bayesian Federated Learning with Wasserstein Barycenter Aggregation"), as P-DSVGD's fold `barycentre`.
#pragma once

#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Which column each row takes, so that every column is taken once and the sum of cost(n, out[n]) is least: the
// Hungarian method with shortest augmenting paths (Jonker and Volgenant 1987), N^3 operations. cost: N x N, finite.
std::vector<Index> assignment(const DoubleMatrix& cost);

// The N points x that minimise  sum_k weights_k W2^2(x, sets_k)  where x and every set are N points of equal weight:
// each set's transport plan is then an assignment (Birkhoff), and given the assignments x is the mean of what is
// assigned to it. The two are found in turn, from `start`, until no assignment changes or kMostTurns (Cuturi and Doucet
// 2014, Algorithm 2, whose plans are regularised where ours are exact; N is small). No turn makes the sum greater, so
// that the end is a local minimum that depends on the start. weights: not negative, of sum 1.
//
// Unlike the mean row by row it does not ask which particle of an agent began as which of the server's.
Particles barycentre(const std::vector<const Particles*>& sets,
                     const std::vector<double>& weights,
                     const Particles& start);

inline constexpr int kMostTurns = 20;

}  // namespace fedstein
