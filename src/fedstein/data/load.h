// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fedstein/data/registry.h"
#include "fedstein/data/scaling.h"

namespace fedstein {

// Where a file of DatasetInfo::files lies: as named, or unpacked without its ".gz"; nothing when it lies nowhere.
std::optional<std::string> locate(const std::string& data_folder, const std::string& file);

// The named set as its files hold it, unscaled, in the files' order (several are sorted: split at random). Shape and
// label counts are compared with the registry's; the counts not where a generator can make the set (made_sets.h). The
// seed is for sets that have no files. Throws InvalidArgument for an
// unknown name, DataError for a file that is missing, damaged or another one.
Dataset load_dataset(std::string_view name, const std::string& data_folder, std::uint64_t seed = 0);

// A file of the user's own. A multiclass set has as many classes as its largest label needs. For kIdx `label_path`
// names the second file.
struct OwnFile {
  std::string name;  // of the dataset; empty: the path
  LabelKind labels = LabelKind::kBinary;
  FileLayout layout;
  std::string label_path;
  GivenScaling scaling = {};  // of the rule kFixed

  auto operator<=>(const OwnFile&) const = default;
};
Dataset load_dataset_file(const std::string& path, const OwnFile& file);

// Compares every number with the registry's checksum; throws DataError when the set is another than the published one.
// Sets that depend on a seed pass.
void check_contents(const DatasetInfo& info, const Dataset& dataset);

}  // namespace fedstein
