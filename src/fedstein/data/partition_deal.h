// SPDX-License-Identifier: Apache-2.0
// What the rules of partition() share: shuffling rows, and dealing them in given proportions.
#pragma once

#include "fedstein/data/partition.h"
#include "fedstein/numeric/rng.h"

namespace fedstein::dealing {

using Rows = std::vector<Index>;

inline std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

Rows shuffled(std::span<const Index> rows, Rng& rng);

// Deals `rows`, in their order, to the receivers so that receiver i ends at round(ends[i] * count); ends.back() is 1.
void deal(std::span<const Index> rows, std::span<const Index> receivers, std::span<const double> ends, Shards& shards);

// Sizes differ by at most one.
void deal_evenly(std::span<const Index> rows, std::span<const Index> receivers, Shards& shards);

// Cumulative Dirichlet(alpha, ..., alpha) proportions.
std::vector<double> dirichlet_ends(Index count, double alpha, Rng& rng);
void check_alpha(double alpha);

// Each empty shard takes one row from the then largest.
void fill_empty(Shards& shards);

}  // namespace fedstein::dealing
