// SPDX-License-Identifier: Apache-2.0
// A sampler of its own kind, to judge others by: Hamiltonian Monte Carlo (Duane et al. 1987; Neal 2011).
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "fedstein/numeric/rng.h"

namespace fedstein {

struct HmcTarget {
  std::function<double(const DoubleVector&)> log_density;  // up to a constant
  std::function<DoubleVector(const DoubleVector&)> score;  // a rough one costs acceptance, not correctness
};

struct HmcOptions {
  Index burn_in = 500;
  Index samples = 4000;
  Index leaps = 20;
  double step = 0.05;  // each trajectory's is up to a fifth shorter or longer, so that no period repeats itself
  std::uint64_t seed = 1;
};

struct HmcResult {
  DoubleMatrix samples;   // one a row
  double acceptance = 0;  // share of the trajectories
};

inline HmcResult hmc(const HmcTarget& target, DoubleVector at, const HmcOptions& options) {
  Rng rng({.seed = options.seed, .purpose = Purpose::kTest});
  HmcResult out{DoubleMatrix(options.samples, at.size())};
  double density = target.log_density(at);
  Matrix draws(at.size(), 1);
  for (Index i = -options.burn_in; i < options.samples; ++i) {
    rng.fill_normal(draws);
    DoubleVector momentum = draws.col(0).cast<double>();
    const double energy = density - momentum.squaredNorm() / 2;
    const double step = options.step * (0.8 + 0.4 * rng.uniform());
    DoubleVector next = at;
    momentum += step / 2 * target.score(next);
    for (Index leap = 1; leap <= options.leaps; ++leap) {
      next += step * momentum;
      momentum += (leap < options.leaps ? step : step / 2) * target.score(next);
    }
    const double next_density = target.log_density(next);
    if (std::log(rng.uniform()) < next_density - momentum.squaredNorm() / 2 - energy) {
      at = std::move(next);
      density = next_density;
      if (i >= 0) out.acceptance += 1 / static_cast<double>(options.samples);
    }
    if (i >= 0) out.samples.row(i) = at;
  }
  return out;
}

}  // namespace fedstein
