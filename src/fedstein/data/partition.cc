// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/partition.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "fedstein/base/counted.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/data/partition_by_label.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using dealing::at;
using dealing::Rows;

constexpr std::array<std::pair<PartitionKind, std::string_view>, 6> kNames = {{
    {PartitionKind::kIid, "iid"},
    {PartitionKind::kLabelFractions, "label-fractions"},
    {PartitionKind::kClassesPerAgent, "classes-per-agent"},
    {PartitionKind::kDirichlet, "dirichlet"},
    {PartitionKind::kQuantity, "quantity"},
    {PartitionKind::kByGroup, "by-column"},
}};

Shards iid(std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  Shards shards(at(options.agents));
  dealing::deal_evenly(dealing::shuffled(rows, rng), all_rows(options.agents), shards);
  return shards;
}

Shards quantity(std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  dealing::check_alpha(options.alpha);
  Shards shards(at(options.agents));
  const Rows order = dealing::shuffled(rows, rng);
  dealing::deal(order, all_rows(options.agents), dealing::dirichlet_ends(options.agents, options.alpha, rng), shards);
  dealing::fill_empty(shards);
  return shards;
}

Shards by_group(const Dataset& dataset, std::span<const Index> rows, Index agents) {
  check_argument(static_cast<Index>(dataset.group.size()) == dataset.x.rows() && !dataset.group.empty(),
                 "partition",
                 dataset.name + " has no groups; by-column needs a set whose rows name a patient, sensor or the like");
  std::map<Index, Rows> groups;
  for (const Index row : rows) groups[dataset.group[at(row)]].push_back(row);
  check_argument(!groups.contains(kNoGroup),
                 "partition",
                 "some rows of " + dataset.name + " belong to no group; by-column can only divide those that do");
  const Index count = static_cast<Index>(groups.size());
  check_argument(agents <= count,
                 "partition",
                 "by-column is asked for " + counted(agents, "agent") + "; the rows hold " + counted(count, "group") +
                     ", and there must be one for each");
  Shards shards;
  for (auto& [group, members] : groups) shards.push_back(std::move(members));
  if (agents == 0 || agents == count) return shards;

  const auto size_above = [](const Rows& a, const Rows& b) { return a.size() > b.size(); };
  const auto size_below = [](const Rows& a, const Rows& b) { return a.size() < b.size(); };
  std::stable_sort(shards.begin(), shards.end(), size_above);
  Shards merged(at(agents));
  for (const Rows& members : shards) {
    Rows& smallest = *std::min_element(merged.begin(), merged.end(), size_below);
    smallest.insert(smallest.end(), members.begin(), members.end());
  }
  return merged;
}

// By the rules that draw.
Shards divided(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  switch (options.kind) {
    case PartitionKind::kLabelFractions:
      return dealing::label_fractions(dataset, rows, options, rng);
    case PartitionKind::kClassesPerAgent:
      return dealing::classes_per_agent(dataset, rows, options, rng);
    case PartitionKind::kDirichlet:
      return dealing::dirichlet(dataset, rows, options, rng);
    case PartitionKind::kQuantity:
      return quantity(rows, options, rng);
    case PartitionKind::kIid:
    case PartitionKind::kByGroup:
      break;
  }
  return iid(rows, options, rng);
}

}  // namespace

Shards partition(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options) {
  check_rows("partition", rows, dataset.x.rows());
  const bool grouped = options.kind == PartitionKind::kByGroup;
  const Index count = static_cast<Index>(rows.size());
  const Index fewest = grouped ? 0 : 1;
  check_argument(count >= 1, "partition", "no rows of " + dataset.name + " are given; at least one is needed");
  check_argument(options.agents >= fewest && options.agents <= count,
                 "partition",
                 "agents is " + std::to_string(options.agents) + " for " + counted(count, "row") + " of " +
                     dataset.name + "; it must be between " + std::to_string(fewest) + " and the number of rows");
  if (grouped) return by_group(dataset, rows, options.agents);

  Rng rng({.seed = options.seed, .purpose = Purpose::kPartition});
  Shards shards = divided(dataset, rows, options, rng);
  for (std::size_t k = 0; k < shards.size(); ++k) {
    check_argument(!shards[k].empty(),
                   "partition",
                   std::string(partition_name(options.kind)) + " leaves agent " + std::to_string(k) + " of " +
                       std::to_string(options.agents) + " without a row of " + dataset.name + "; use fewer agents");
    shards[k] = dealing::shuffled(shards[k], rng);  // the rules by label deal class after class
  }
  return shards;
}

PartitionKind partition_kind(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [kind, kind_name] : kNames) {
    if (kind_name == name) return kind;
    known.emplace_back(kind_name);
  }
  throw InvalidArgument("there is no partition '" + std::string(name) + "'" + instead_of(name, known));
}

std::string_view partition_name(PartitionKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "unknown";
}

}  // namespace fedstein
