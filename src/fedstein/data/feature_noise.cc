// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/feature_noise.h"

#include <cmath>
#include <numeric>
#include <string>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

void add_feature_noise(const FeatureNoise& noise, NoisyRows which, MatrixRef x) {
  check_argument(noise.level >= 0 && std::isfinite(noise.level), "add_feature_noise", [&] {
    return "level is " + to_text(noise.level) + "; it must be a number of at least 0";
  });
  check_argument(noise.agent >= 0 && noise.agent < noise.agents, "add_feature_noise", [&] {
    return "agent is " + std::to_string(noise.agent) + " of " + std::to_string(noise.agents) +
           "; it must be at least 0 and below the number of agents";
  });
  if (noise.level == 0) return;
  const double share = static_cast<double>(noise.agent + 1) / static_cast<double>(noise.agents);
  const double deviation = std::sqrt(noise.level * share);
  Rng rng({.seed = noise.seed,
           .agent = static_cast<std::uint64_t>(noise.agent),
           .round = static_cast<std::uint64_t>(which),
           .purpose = Purpose::kFeatureNoise});
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index column = 0; column < x.cols(); ++column) x(row, column) += static_cast<Real>(deviation * rng.normal());
  }
}

void add_feature_noise(double level, std::uint64_t seed, NoisyRows which, std::span<const Index> sizes, MatrixRef x) {
  const Index rows = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  check_argument(rows == x.rows(), "add_feature_noise", [&] {
    return "the agents have " + std::to_string(rows) + " rows; x has " + std::to_string(x.rows());
  });
  Index begin = 0;
  FeatureNoise noise{.level = level, .agents = static_cast<Index>(sizes.size()), .seed = seed};
  for (const Index size : sizes) {
    add_feature_noise(noise, which, x.middleRows(begin, size));
    begin += size;
    ++noise.agent;
  }
}

}  // namespace fedstein
