// SPDX-License-Identifier: Apache-2.0
// The dataset of a point and its division among agents.
#pragma once

#include <optional>

#include "fedstein/config/plan.h"
#include "fedstein/config/resolution.h"
#include "fedstein/data/registry.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

// What is known of a dataset before it is read. Zero: not known.
struct DatasetFacts {
  DatasetPlan plan = {};
  LabelKind labels = LabelKind::kBinary;
  Index features = 0;
  Index classes = 0;  // 0 for regression too
  Index train_rows = 0;
  bool has_groups = false;
};

// Nothing when the point has a mistake there that leaves nothing to go on with. toy: the mixture's type, or null.
std::optional<DatasetFacts> resolve_dataset(const Point& point, const ModelType* toy, Resolution& resolution);

// Why the files of a set that is known by name cannot be read; empty where they can. Asks the disk once for each name.
const std::string& files_objection(const DatasetInfo& info, Resolution& resolution);

PartitionOptions resolve_partition(const Point& point, const DatasetFacts& facts, Resolution& resolution);

// The level of what is added to the agents' features; 0 for a toy.
double resolve_feature_noise(const Point& point, bool toy, Resolution& resolution);

// The layout of [data] for a file of the user's own.
OwnFile resolve_own_file(const Point& point, Resolution& resolution);
// Whether it is a text table whose columns have names and kinds. With labels_from it is a table of numbers.
bool is_table(const OwnFile& file);
// What its columns mean: as [data] settles it, or as the file shows. False: a mistake or a file that cannot be used.
bool resolve_table(const Point& point, DatasetFacts& facts, Resolution& resolution);

}  // namespace fedstein
