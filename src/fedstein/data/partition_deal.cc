// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/partition_deal.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"

namespace fedstein::dealing {

Rows shuffled(std::span<const Index> rows, Rng& rng) {
  Rows out;
  out.reserve(rows.size());
  for (const Index place : rng.permutation(static_cast<Index>(rows.size()))) out.push_back(rows[at(place)]);
  return out;
}

void deal(std::span<const Index> rows, std::span<const Index> receivers, std::span<const double> ends, Shards& shards) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const bool last = i + 1 == receivers.size();
    const double wanted = std::round(ends[i] * static_cast<double>(rows.size()));
    const std::size_t end = last ? rows.size() : std::clamp(static_cast<std::size_t>(wanted), begin, rows.size());
    Rows& shard = shards[at(receivers[i])];
    shard.insert(shard.end(), rows.begin() + static_cast<Index>(begin), rows.begin() + static_cast<Index>(end));
    begin = end;
  }
}

void deal_evenly(std::span<const Index> rows, std::span<const Index> receivers, Shards& shards) {
  const std::size_t count = receivers.size();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = begin + rows.size() / count + (i < rows.size() % count ? 1 : 0);
    Rows& shard = shards[at(receivers[i])];
    shard.insert(shard.end(), rows.begin() + static_cast<Index>(begin), rows.begin() + static_cast<Index>(end));
    begin = end;
  }
}

// In logarithms: with a small alpha every gamma variate may be too small for a double. A Gamma(alpha) variate is
// Gamma(alpha + 1) u^(1/alpha).
std::vector<double> dirichlet_ends(Index count, double alpha, Rng& rng) {
  std::vector<double> logs;
  for (Index k = 0; k < count; ++k) {
    logs.push_back(std::log(rng.gamma(alpha + 1, 1)) + std::log(rng.uniform()) / alpha);
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  std::vector<double> ends;
  ends.reserve(logs.size());
  double sum = 0;
  for (const double value : logs) ends.push_back(sum += std::exp(value - largest));
  for (double& end : ends) end /= sum;
  return ends;
}

// Below, one agent takes all; above, all shares are as good as equal: both have clearer names.
void check_alpha(double alpha) {
  check_argument(
      alpha >= 1e-6 && alpha <= 1e6, "partition", "alpha is " + to_text(alpha) + "; it must lie in 1e-6 to 1e6");
}

void fill_empty(Shards& shards) {
  const auto size_below = [](const Rows& a, const Rows& b) { return a.size() < b.size(); };
  for (Rows& shard : shards) {
    if (!shard.empty()) continue;
    Rows& largest = *std::max_element(shards.begin(), shards.end(), size_below);
    shard.push_back(largest.back());  // the last row dealt; any other choice is as good
    largest.pop_back();
  }
}

}  // namespace fedstein::dealing
