// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/partition_by_label.h"

#include <map>
#include <string>

#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein::dealing {
namespace {

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

}  // namespace

Shards label_fractions(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  check_argument(options.agents % 2 == 0,
                 "partition",
                 "label-fractions is asked for " + counted(options.agents, "agent") + "; it needs an even number");
  check_argument(options.heavy_share >= 0 && options.heavy_share <= 1,
                 "partition",
                 "heavy_share is " + to_text(options.heavy_share) + "; it must lie in 0 to 1");
  const std::vector<Rows> classes = rows_by_class(dataset, rows, rng);
  check_argument(classes.size() == 2,
                 "partition",
                 dataset.name + " has " + counted(classes.size(), "class") + "; label-fractions needs 2");
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
                 "classes is " + std::to_string(options.classes) + "; the rows hold " + counted(count, "class") +
                     ", so it must be between 1 and that");
  check_argument(options.agents * options.classes >= count,
                 "partition",
                 counted(options.agents, "agent") + " with " + counted(options.classes, "class") +
                     " each hold at most " + std::to_string(options.agents * options.classes) + " of the " +
                     counted(count, "class") + "; raise either, or rows would be lost");
  const Rows order = shuffled(present, rng);
  std::map<Index, Rows> holders;
  for (Index slot = 0; slot < options.agents * options.classes; ++slot) {
    holders[order[at(slot % count)]].push_back(slot / options.classes);
  }
  Shards shards(at(options.agents));
  for (const auto& [label, agents] : holders) {
    check_argument(classes[at(label)].size() >= agents.size(),
                   "partition",
                   "class " + std::to_string(label) + " has " + counted(classes[at(label)].size(), "row") + " for " +
                       counted(agents.size(), "agent") + "; each needs at least one");
    deal_evenly(classes[at(label)], agents, shards);
  }
  return shards;
}

Shards dirichlet(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng) {
  check_alpha(options.alpha);
  const std::vector<Rows> classes = rows_by_class(dataset, rows, rng);
  Shards shards(at(options.agents));
  const Rows agents = all_rows(options.agents);
  for (const Rows& members : classes) {
    deal(members, agents, dirichlet_ends(options.agents, options.alpha, rng), shards);
  }
  fill_empty(shards);
  return shards;
}

}  // namespace fedstein::dealing
