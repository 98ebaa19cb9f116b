// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Agents that see the same world through instruments of different quality: NIID-Bench's noise-based feature skew
// (Li et al., ICDE 2022). There party i of N sees x + Gau(sigma * i / N), a normal number of mean 0 and variance
// sigma * i / N, i = 1 .. N. The study's published program differs from its paper: sigma * (i - 1) / (N - 1) is its
// standard deviation, the noise is drawn anew whenever a row is read, and test rows have it too. Here it is the paper's
// variance, each row is disturbed once and for all, and test rows are clean.
struct FeatureNoise {
  double level = 0;  // sigma: the variance at the last agent, in units of the scaled features; 0: no noise
  Index agent = 0;   // 0 .. agents-1; its variance is level * (agent + 1) / agents
  Index agents = 1;
  std::uint64_t seed = 0;
};

enum class NoisyRows : std::uint64_t { kLearned = 0, kKeptBack = 1 };

// Disturbs the scaled features of one agent's rows, by its own stream kFeatureNoise of the seed; those it learns from
// and those it keeps back have streams of their own. InvalidArgument for a level below 0 or an agent that is none.
void add_feature_noise(const FeatureNoise& noise, NoisyRows which, MatrixRef x);

// The same for all agents: x has sizes[0] rows of the first, then those of the others.
void add_feature_noise(double level, std::uint64_t seed, NoisyRows which, std::span<const Index> sizes, MatrixRef x);

}  // namespace fedstein
