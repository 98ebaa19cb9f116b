// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fedstein/data/dataset.h"

namespace fedstein {

// shards[k]: the rows of agent k. Every row given is in exactly one shard, and no shard is empty.
using Shards = std::vector<std::vector<Index>>;

enum class PartitionKind {
  kIid,             // "iid": at random, sizes differ by at most one
  kLabelFractions,  // "label-fractions": two labels; the first half of the agents heavy in class 0, the others in class
                    // 1
  kClassesPerAgent,  // "classes-per-agent": every agent holds exactly this many classes
  kDirichlet,        // "dirichlet": each class spread over the agents by Dirichlet(alpha) proportions
  kQuantity,         // "quantity": at random, sizes by Dirichlet(alpha) proportions
  kByGroup,          // "by-column": whole groups (patients, sensors) to agents
};

struct PartitionOptions {
  PartitionKind kind = PartitionKind::kIid;
  Index agents = 1;  // by-column: 0 means one agent per group
  std::uint64_t seed = 0;
  // Of each label, the part that its heavy half of the agents shares evenly; the other half shares the rest. With four
  // agents 0.8 gives each 40 % of one label and 10 % of the other, the paper's split; 0.5 gives equal labels. Any even
  // number of agents.
  double heavy_share = 0.8;
  Index classes = 2;
  double alpha = 0.1;  // dirichlet, quantity

  auto operator<=>(const PartitionOptions&) const = default;
};

// Divides the rows (usually a split's training rows; each at most once) by the stream kPartition of the seed. An
// agent's rows are in random order, by-column in the order given. InvalidArgument where the setting cannot be met.
//
// classes-per-agent: the classes that occur, in random order, are dealt to the agents in turn and each is divided
// evenly
//   among its holders; so agents * classes must reach the number of classes.
// dirichlet: an agent left without a row takes one from the then largest shard (nothing is drawn again: with many
// agents
//   and a small alpha a draw without an empty shard may never come).
// quantity: NIID-Bench's quantity skew (Li et al., ICDE 2022), q ~ Dir(alpha): agents differ in how many rows they
// have,
//   their labels are alike but for chance. Whoever is left without a row takes one as with dirichlet; the study's own
//   program draws q again until everybody has ten.
// by-column: agent k has the k-th smallest group. With fewer agents than groups the groups, largest first, go to the
//   agent with the fewest rows so far.
Shards partition(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options);

// From and to the names above; an unknown name is an error that lists them.
PartitionKind partition_kind(std::string_view name);
std::string_view partition_name(PartitionKind kind);

}  // namespace fedstein
