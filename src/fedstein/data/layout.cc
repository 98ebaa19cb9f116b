// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fedstein/base/counted.h"
#include "fedstein/data/error.h"
#include "fedstein/data/idx.h"
#include "fedstein/data/leaf.h"
#include "fedstein/data/libsvm.h"
#include "fedstein/data/matlab.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Cuts a column out of the table. In place: the rows close up inside the buffer, which then shrinks as one long column,
// so a large table is never held twice. (Eigen leaves values alone when a resize keeps their number.)
Vector take_column(Matrix& table, Index column) {
  const Index rows = table.rows();
  const Index columns = table.cols();
  Vector out = table.col(column);
  Real* kept = table.data();
  for (Index row = 0; row < rows; ++row) {
    const Real* values = table.data() + row * columns;
    kept = std::copy(values, values + column, kept);
    kept = std::copy(values + column + 1, values + columns, kept);
  }
  table.resize(rows * columns, 1);
  table.conservativeResize(rows * (columns - 1), 1);
  table.resize(rows, columns - 1);
  return out;
}

// Where a column of the file stands among those that were read.
Index column_read(const char* what, Index column, const TextOptions& text) {
  const auto& ignored = text.ignored_columns;
  check_argument(std::find(ignored.begin(), ignored.end(), column) == ignored.end(),
                 "read_layout",
                 std::string(what) + " is " + std::to_string(column) +
                     ", which is also ignored; a column can be only one of them");
  return column - std::count_if(ignored.begin(), ignored.end(), [column](Index i) { return i < column; });
}

std::vector<Index> whole_numbers(const std::string& path, const Vector& values) {
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(values.size()));
  for (const Real value : values) {
    // Beyond 2^24 single precision skips whole numbers, so that two groups could become one.
    if (value != std::floor(value) || std::abs(value) > Real{1 << 24}) {
      fail_file(path,
                "row " + std::to_string(out.size() + 1) + " has the group " + to_text(static_cast<double>(value)) +
                    "; groups must be whole numbers of at most 2^24");
    }
    out.push_back(static_cast<Index>(value));
  }
  return out;
}

void read_table(const std::string& path, const FileLayout& layout, Dataset& out) {
  out.x = read_text(path, layout.text);
  Index label = out.x.cols() - 1;
  if (layout.label_column != kLastColumn) label = column_read("label_column", layout.label_column, layout.text);
  const Index group =
      layout.group_column == kNoColumn ? -1 : column_read("group_column", layout.group_column, layout.text);
  check_argument(label != group, "read_layout", "label_column and group_column are the same; they must differ");
  if (label < 0 || label >= out.x.cols() || group >= out.x.cols()) {
    fail_file(path,
              "it has " + counted(out.x.cols(), "column") + " of numbers; the layout wants the label in column " +
                  std::to_string(label) + (group < 0 ? "" : " and the group in column " + std::to_string(group)) +
                  ", counted from 0");
  }
  // The right one first, so that the other keeps its place.
  if (group > label) out.group = whole_numbers(path, take_column(out.x, group));
  out.y = take_column(out.x, label);
  if (group >= 0 && group < label) out.group = whole_numbers(path, take_column(out.x, group));
}

void read_arrays(const std::string& path, const std::string& label_path, Dataset& out) {
  const IdxArray labels = read_idx(label_path);
  if (labels.shape.size() != 1) {
    fail_file(label_path, "it has " + counted(labels.shape.size(), "dimension") + "; labels must have 1");
  }
  const IdxArray arrays = read_idx(path);
  const Index rows = arrays.shape.front();
  if (arrays.shape.size() < 2 || rows != labels.shape.front()) {
    fail_file(path,
              "it holds " + std::to_string(rows) + " arrays of " + counted(arrays.shape.size() - 1, "dimension") +
                  "; there must be " + std::to_string(labels.shape.front()) + ", as many as labels in " + label_path +
                  ", of at least 1 dimension");
  }
  const Index columns = static_cast<Index>(arrays.values.size()) / rows;
  using Bytes = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  out.x = Eigen::Map<const Bytes>(arrays.values.data(), rows, columns).cast<Real>();
  out.y = Eigen::Map<const Bytes>(labels.values.data(), rows, 1).cast<Real>();
}

void read_matrices(const std::string& path, const FileLayout& layout, Dataset& out) {
  out.x = read_matlab(path, layout.rows_variable);
  const Matrix labels = read_matlab(path, layout.label_variable);
  if (labels.size() != out.x.rows() || (labels.rows() != 1 && labels.cols() != 1)) {
    fail_file(path,
              layout.label_variable + " is " + shape_of(labels) + "; it must hold one label for each of the " +
                  counted(out.x.rows(), "row") + " of " + layout.rows_variable);
  }
  out.y = Eigen::Map<const Vector>(labels.data(), labels.size());
}

void translate_labels(const std::string& path, const std::vector<LabelPair>& pairs, Vector& y) {
  if (pairs.empty()) return;
  for (Index row = 0; row < y.size(); ++row) {
    const double found = static_cast<double>(y(row));
    const auto pair =
        std::find_if(pairs.begin(), pairs.end(), [found](const LabelPair& known) { return known.from == found; });
    if (pair == pairs.end()) {
      std::string allowed;
      for (const LabelPair& known : pairs) allowed += (allowed.empty() ? "" : ", ") + to_text(known.from);
      fail_file(path,
                "row " + std::to_string(row + 1) + " has the label " + to_text(found) + "; allowed are " + allowed);
    }
    y(row) = static_cast<Real>(pair->to);
  }
}

Index classes_of(LabelKind labels, const Vector& y) {
  if (labels == LabelKind::kBinary) return 2;
  if (labels != LabelKind::kMulticlass) return 0;
  // At least two, so that a file of one class is a small set and not an impossible one; validate() sees to the rest.
  return std::max(Index{2},
                  y.size() == 0 ? 0 : static_cast<Index>(std::clamp(y.maxCoeff(), Real{0}, Real{1 << 24})) + 1);
}

// validate(), but a fault is the file's and not the caller's, and the sentence starts with the file.
void check_rows_of(const std::string& path, Dataset& dataset) {
  dataset.name = "it";
  try {
    validate(dataset);
  } catch (const InvalidArgument& error) {
    const std::string complaint = error.what();
    fail_file(path, complaint.substr(complaint.find(": ") + 2));
  }
  dataset.name = path;
}

}  // namespace

Dataset read_layout(const std::vector<std::string>& paths, const FileLayout& layout, LabelKind labels) {
  const std::size_t wanted = layout.format == FileFormat::kIdx ? 2 : 1;
  check_argument(paths.size() == wanted,
                 "read_layout",
                 std::to_string(paths.size()) + " files are given; this format needs " + std::to_string(wanted));
  const std::string& path = paths.front();
  Dataset out;
  out.labels = labels;
  switch (layout.format) {
    case FileFormat::kText:
      read_table(path, layout, out);
      break;
    case FileFormat::kLibsvm: {
      LabelledRows rows = read_libsvm(path, layout.features);
      out.x = std::move(rows.x);
      out.y = std::move(rows.y);
      break;
    }
    case FileFormat::kIdx:
      read_arrays(path, paths[1], out);
      break;
    case FileFormat::kMatlab:
      read_matrices(path, layout, out);
      break;
    case FileFormat::kLeaf: {
      LeafRows rows = read_leaf(path);
      out.x = std::move(rows.x);
      out.y = std::move(rows.y);
      out.group = std::move(rows.user);
      break;
    }
  }
  translate_labels(paths.back(), layout.labels, out.y);
  out.classes = classes_of(labels, out.y);
  check_rows_of(path, out);
  return out;
}

void append_rows(Dataset& dataset, const Dataset& more, const std::string& path) {
  if (more.x.cols() != dataset.x.cols()) {
    fail_file(path,
              "it has " + counted(more.x.cols(), "feature") + "; the rows before it have " +
                  std::to_string(dataset.x.cols()));
  }
  const Index before = dataset.x.rows();
  dataset.x.conservativeResize(before + more.x.rows(), Eigen::NoChange);
  dataset.x.bottomRows(more.x.rows()) = more.x;
  dataset.y.conservativeResize(before + more.y.size());
  dataset.y.tail(more.y.size()) = more.y;
  dataset.group.insert(dataset.group.end(), more.group.begin(), more.group.end());
  dataset.classes = std::max(dataset.classes, more.classes);
}

}  // namespace fedstein
