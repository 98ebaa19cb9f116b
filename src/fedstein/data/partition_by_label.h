// SPDX-License-Identifier: Apache-2.0
// The rules of partition() that look at labels; see its comment for what each does.
#pragma once

#include "fedstein/data/partition_deal.h"

namespace fedstein::dealing {

Shards label_fractions(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng);
Shards classes_per_agent(const Dataset& dataset,
                         std::span<const Index> rows,
                         const PartitionOptions& options,
                         Rng& rng);
Shards dirichlet(const Dataset& dataset, std::span<const Index> rows, const PartitionOptions& options, Rng& rng);

}  // namespace fedstein::dealing
