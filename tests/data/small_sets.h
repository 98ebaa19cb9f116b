// SPDX-License-Identifier: Apache-2.0
// Small datasets made for tests, and what tests say of index sets.
#pragma once

#include <algorithm>
#include <vector>

#include "fedstein/data/dataset.h"
#include "fedstein/data/partition.h"
#include "support/random_matrix.h"

namespace fedstein {

// Standard normal features; row i has class i mod classes (binary: -1, +1, -1, ...).
inline Dataset striped_set(Index count, Index classes, Index features = 3) {
  Dataset out{"striped", Task::kMulticlass, random_matrix(count, features, 1), Vector(count), classes, {}};
  if (classes == 2) out.task = Task::kBinary;
  for (Index row = 0; row < count; ++row) {
    const Index label = row % classes;
    out.y(row) = static_cast<Real>(classes == 2 ? 2 * label - 1 : label);
  }
  return out;
}

// Row i is in group group_of[i]; two classes.
inline Dataset grouped_set(std::vector<Index> group_of) {
  Dataset out = striped_set(static_cast<Index>(group_of.size()), 2);
  out.name = "grouped";
  out.group = std::move(group_of);
  return out;
}

inline std::vector<Index> sorted(std::vector<Index> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

// All rows of all shards, sorted: equal to the sorted input exactly when nothing was lost or duplicated.
inline std::vector<Index> gathered(const Shards& shards) {
  std::vector<Index> out;
  for (const auto& shard : shards) out.insert(out.end(), shard.begin(), shard.end());
  return sorted(std::move(out));
}

}  // namespace fedstein
