// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/data/dataset.h"
#include "fedstein/data/text.h"

namespace fedstein {

enum class FileFormat {
  kText,    // a table of numbers, one row a line
  kLibsvm,  // "label index:value ..."
  kIdx,     // two files: images or other arrays, then their labels
  kMatlab,  // MATLAB 5
  kLeaf,    // JSON of the LEAF benchmark; its users become groups
};

// The label `from` of the file is our label `to`.
struct LabelPair {
  double from = 0;
  double to = 0;

  auto operator<=>(const LabelPair&) const = default;
};

inline constexpr Index kLastColumn = -1;
inline constexpr Index kNoColumn = -2;

// Where rows, labels and groups stand in a file. Columns are those of the file, from 0.
struct FileLayout {
  FileFormat format = FileFormat::kText;
  TextOptions text;                       // kText
  Index label_column = kLastColumn;       // kText; kLastColumn: the last one that is not ignored
  Index group_column = kNoColumn;         // kText; whole numbers
  Index features = 0;                     // kLibsvm
  std::string rows_variable = "data";     // kMatlab
  std::string label_variable = "target";  // kMatlab
  std::vector<LabelPair> labels;          // every label of the file; empty: as they are

  auto operator<=>(const FileLayout&) const = default;
};

// The rows of one file (kIdx: of two), labels already ours. Throws DataError; InvalidArgument for a layout no file can
// have.
Dataset read_layout(const std::vector<std::string>& paths, const FileLayout& layout, LabelKind labels);

// Adds the rows of `more` below those of `dataset`; `path` names the file they came from when the columns disagree.
void append_rows(Dataset& dataset, const Dataset& more, const std::string& path);

}  // namespace fedstein
