// SPDX-License-Identifier: Apache-2.0
// The datasets known by name: where their files are, how to read them, and how the paper uses them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/layout.h"
#include "fedstein/data/scaling.h"
#include "fedstein/data/split.h"

namespace fedstein {

enum class SplitRule {
  kRandom,  // a random part of the rows, drawn anew in every trial
  kGiven,   // the first train_rows rows train, the others test
  kGroups,  // whole groups are held out
};

struct DatasetInfo {
  std::string name;
  std::string description;
  LabelKind labels = LabelKind::kBinary;

  // Relative to the data folder; a ".gz" file may also lie there unpacked, without the ending. Rows of several files
  // follow each other; kIdx takes them in pairs, values and labels. No files: the set is generated.
  std::vector<std::string> files;
  FileLayout layout;
  // Set where the rows of one file depend on those of another: makes the set of all files at once, in place of
  // `layout`.
  Dataset (*read_together)(const std::vector<std::string>& paths) = nullptr;
  std::string standard_splits;  // file of published splits: line k holds the test rows of split k; empty when none

  // How it is used unless told otherwise: the paper's table of datasets, and mathematics.md for the scaling.
  ScalingRule scaling = ScalingRule::kNone;
  bool scaled_by_all_rows = false;  // else by the training rows alone
  Index batch = 10;
  SplitRule split = SplitRule::kRandom;
  double test_fraction = 0.2;
  Index train_rows = 0;                           // kGiven
  std::vector<std::vector<Index>> linked_groups;  // kGroups: sets of groups that are one person

  // What the files hold; checked when they are read. class_counts: binary -1 then +1; empty for regression and for sets
  // that depend on a seed, which have no checksum either.
  Index rows = 0;
  Index features = 0;
  std::vector<Index> class_counts;
  std::uint64_t checksum = 0;
  std::vector<std::string> class_names = {};  // in the order of class_counts; empty: as the data writes them
  std::vector<std::string> group_names = {};  // of groups 0, 1, ...; empty: their numbers, where there are groups
};

// Whether its rows say whose they are.
bool has_groups(const DatasetInfo& info);

// All of them, in the order of the paper's table, then ours.
const std::vector<DatasetInfo>& known_datasets();

// Throws InvalidArgument that lists the names when there is no such set.
const DatasetInfo& find_dataset(std::string_view name);

// The set's usual split, by its rule. A set with linked groups keeps them on one side.
Split default_split(const DatasetInfo& info, const Dataset& dataset, std::uint64_t seed);

// The set's usual scaling, fitted by its rule on all rows or on the training rows.
Scaling default_scaling(const DatasetInfo& info, const Dataset& dataset, const Split& split);

}  // namespace fedstein
