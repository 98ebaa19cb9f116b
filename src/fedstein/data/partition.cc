// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

using Rows = std::vector<Index>;

constexpr std::array<std::pair<PartitionKind, std::string_view>, 5> kNames = {{
    {PartitionKind::kIid, "iid"},
    {PartitionKind::kLabelFractions, "label-fractions"},
    {PartitionKind::kClassesPerAgent, "classes-per-agent"},
    {PartitionKind::kDirichlet, "dirichlet"},
    {PartitionKind::kByGroup, "by-column"},
}};

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

Rows shuffled(std::span<const Index> rows, Rng& rng) {
  Rows out;
  out.reserve(rows.size());
  for (const Index place : rng.permutation(static_cast<Index>(rows.size()))) out.push_back(rows[at(place)]);
  return out;
}

// Deals `rows`, in their order, to the receivers so that receiver i ends at round(ends[i] * count); ends.back() is 1.
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

// Sizes differ by at most one.
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

// The rows of each class, shuffled; classes that do not occur are empty.
std::vector<Rows> rows_by_class(const Dataset& dataset, std::span<const Index> rows, Rng& rng) {
  check_argument(dataset.labels == LabelKind::kBinary || dataset.labels == LabelKind::kMulticlass,
                 "partition",
                 dataset.name + " is a " + label_kind_name(dataset.labels) +
                     " set; a partition by labels needs a binary or multiclass set");
  std::vector<Rows> out(at(dataset.classes));
  for (const Index row : shuffled(rows, rng)) out[at(class_of(dataset, row))].push_back(row);
  return out;
}

Shards iid(std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  Shards shards(at(options.agents));
  deal_evenly(shuffled(rows, rng), all_rows(options.agents), shards);
  return shards;
}

Shards label_fractions(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  check_argument(options.agents % 2 == 0,
                 "partition",
                 "label-fractions is asked for " + std::to_string(options.agents) + " agents; it needs an even number");
  check_argument(options.heavy_share >= 0 && options.heavy_share <= 1,
                 "partition",
                 "heavy_share is " + to_text(options.heavy_share) + "; it must lie in 0 to 1");
  const std::vector<Rows> classes = rows_by_class(dataset, rows, rng);
  check_argument(classes.size() == 2,
                 "partition",
                 dataset.name + " has " + std::to_string(classes.size()) + " classes; label-fractions needs 2");
  Shards shards(at(options.agents));
  const Rows agents = all_rows(options.agents);
  const Index half = options.agents / 2;
  for (Index label = 0; label < 2; ++label) {
    std::vector<double> ends;
    for (Index k = 0; k < options.agents; ++k) {
      const double first_half = label == 0 ? options.heavy_share : 1 - options.heavy_share;
      const double in_half = static_cast<double>(k % half + 1) / static_cast<double>(half);
      ends.push_back(k < half ? first_half * in_half : first_half + (1 - first_half) * in_half);
    }
    deal(classes[at(label)], agents, ends, shards);
  }
  return shards;
}

Shards classes_per_agent(const Dataset& dataset,
                         std::span<const Index> rows,
                         const PartitionOptions& options,
                         Rng& rng) {
  const std::vector<Rows> classes = rows_by_class(dataset, rows, rng);
  Rows present;
  for (Index label = 0; label < dataset.classes; ++label) {
    if (!classes[at(label)].empty()) present.push_back(label);
  }
  const Index count = static_cast<Index>(present.size());
  check_argument(options.classes >= 1 && options.classes <= count,
                 "partition",
                 "classes is " + std::to_string(options.classes) + "; the rows hold " + std::to_string(count) +
                     " classes, so it must be between 1 and that");
  check_argument(options.agents * options.classes >= count,
                 "partition",
                 std::to_string(options.agents) + " agents with " + std::to_string(options.classes) +
                     " classes each hold at most " + std::to_string(options.agents * options.classes) + " of the " +
                     std::to_string(count) + " classes; raise either, or rows would be lost");
  const Rows order = shuffled(present, rng);
  std::map<Index, Rows> holders;
  for (Index slot = 0; slot < options.agents * options.classes; ++slot) {
    holders[order[at(slot % count)]].push_back(slot / options.classes);
  }
  Shards shards(at(options.agents));
  for (const auto& [label, agents] : holders) {
    check_argument(classes[at(label)].size() >= agents.size(),
                   "partition",
                   "class " + std::to_string(label) + " has " + std::to_string(classes[at(label)].size()) +
                       " rows for " + std::to_string(agents.size()) + " agents; each needs at least one");
    deal_evenly(classes[at(label)], agents, shards);
  }
  return shards;
}

// Cumulative Dirichlet(alpha, ..., alpha) proportions. In logarithms: with a small alpha every gamma variate may be too
// small for a double. A Gamma(alpha) variate is Gamma(alpha + 1) u^(1/alpha).
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

Shards dirichlet(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  // Below, one agent takes each class whole; above, all shares are as good as equal: both have clearer names.
  check_argument(options.alpha >= 1e-6 && options.alpha <= 1e6,
                 "partition",
                 "alpha is " + to_text(options.alpha) + "; it must lie in 1e-6 to 1e6");
  const std::vector<Rows> classes = rows_by_class(dataset, rows, rng);
  Shards shards(at(options.agents));
  const Rows agents = all_rows(options.agents);
  for (const Rows& members : classes) {
    deal(members, agents, dirichlet_ends(options.agents, options.alpha, rng), shards);
  }
  const auto size_below = [](const Rows& a, const Rows& b) { return a.size() < b.size(); };
  for (Rows& shard : shards) {
    if (!shard.empty()) continue;
    Rows& largest = *std::max_element(shards.begin(), shards.end(), size_below);
    shard.push_back(largest.back());  // its class is that of the last rows dealt; any other choice is as good
    largest.pop_back();
  }
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
                 "by-column is asked for " + std::to_string(agents) + " agents; the rows hold " +
                     std::to_string(count) + " groups, and there must be one for each");
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

}  // namespace

Shards partition(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options) {
  check_rows("partition", rows, dataset.x.rows());
  const bool grouped = options.kind == PartitionKind::kByGroup;
  const Index count = static_cast<Index>(rows.size());
  const Index fewest = grouped ? 0 : 1;
  check_argument(count >= 1, "partition", "no rows of " + dataset.name + " are given; at least one is needed");
  check_argument(options.agents >= fewest && options.agents <= count,
                 "partition",
                 "agents is " + std::to_string(options.agents) + " for " + std::to_string(count) + " rows of " +
                     dataset.name + "; it must be between " + std::to_string(fewest) + " and the number of rows");
  if (grouped) return by_group(dataset, rows, options.agents);

  Rng rng({.seed = options.seed, .purpose = Purpose::kPartition});
  Shards shards = options.kind == PartitionKind::kIid              ? iid(rows, options, rng)
                  : options.kind == PartitionKind::kLabelFractions ? label_fractions(dataset, rows, options, rng)
                  : options.kind == PartitionKind::kDirichlet      ? dirichlet(dataset, rows, options, rng)
                                                                   : classes_per_agent(dataset, rows, options, rng);
  for (std::size_t k = 0; k < shards.size(); ++k) {
    check_argument(!shards[k].empty(),
                   "partition",
                   std::string(partition_name(options.kind)) + " leaves agent " + std::to_string(k) + " of " +
                       std::to_string(options.agents) + " without a row of " + dataset.name + "; use fewer agents");
    shards[k] = shuffled(shards[k], rng);  // the rules by label deal class after class
  }
  return shards;
}

PartitionKind partition_kind(std::string_view name) {
  std::string known;
  for (const auto& [kind, kind_name] : kNames) {
    if (kind_name == name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind_name);
  }
  throw InvalidArgument("partition_kind: there is no partition '" + std::string(name) + "'; known: " + known);
}

std::string_view partition_name(PartitionKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "unknown";
}

}  // namespace fedstein
