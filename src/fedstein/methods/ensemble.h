// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fedstein/methods/points/point_method.h"

namespace fedstein {

// Deep ensembles (Lakshminarayanan, Pritzel and Blundell 2017, "Simple and Scalable Predictive Uncertainty Estimation
// using Deep Ensembles") of federated points: N members that never hear of each other, each of them FedAvg or SCAFFOLD
// (`member`) with its own start and its own minibatches. All N travel in one exchange, N times a member's traffic, and
// all N predict: the honest rival of every method with N particles.
//
//   task     member m's belief in row m of each matrix: weights (N x d), and of SCAFFOLD its variate c (N x d)
//   update   member m's update likewise
//
// Member m is the method itself with a seed of its own; the first one has the federation's, so that an ensemble of one
// is that method to the bit. On models that start at 0 (`start` = "usual", logistic regression) members differ by their
// minibatches alone; start = "prior" gives each a draw. Networks have starts of their own in any case.
//
// Choices: the agents count by rows and SCAFFOLD's server takes whole steps, the defaults of both. Step rule and rate
// are FedAvg's defaults; SCAFFOLD's own are step_rule = "plain" and learning_rate = 0.1. Adversarial examples, which
// the paper adds to the training, are left out as most do. An ensemble with the recipe of c-dsvgd is c-dsvgd itself
// with kernel = "none".
Algorithm ensemble_algorithm(const ParticleExtras& extras = {});

// The seed of a member. Neighbouring seeds of federations (trials) have no member in common.
std::uint64_t member_seed(std::uint64_t seed, Index member);

}  // namespace fedstein
