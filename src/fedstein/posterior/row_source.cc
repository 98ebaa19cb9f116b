// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/row_source.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "fedstein/base/counted.h"
#include "fedstein/data/idx.h"
#include "fedstein/data/leaf.h"
#include "fedstein/data/libsvm.h"
#include "fedstein/data/matlab.h"
#include "fedstein/data/text_rows.h"
#include "fedstein/numeric/check.h"
#include "fedstein/table/table_rows.h"

namespace fedstein {
namespace {

const std::vector<std::string> kNothingUnknown;

class TableSource : public RowSource {
 public:
  TableSource(ByteSource source, const TableSchema& schema, const TableRows::Options& options)
      : rows_(std::move(source), schema, options) {}

  bool next() override { return rows_.next(); }
  void read(Real* out) const override { rows_.read(out); }
  const std::vector<std::string>& unknown() const override { return rows_.unknown(); }
  bool has_row_at_hand() const override { return rows_.has_row_at_hand(); }
  std::string place() const override { return rows_.name() + ":" + std::to_string(rows_.line()); }
  std::string remark() const override {
    const std::string remark = rows_.remark();
    return remark.empty() ? remark : rows_.name() + ": " + remark;
  }

 private:
  TableRows rows_;
};

class TextSource : public RowSource {
 public:
  TextSource(TextRows rows, Index features) : rows_(std::move(rows)), features_(features) {}

  bool next() override {
    const bool is_first = !std::exchange(begun_, true);
    if (!rows_.next()) {
      if (is_first) fail_file(rows_.name(), "there is no row; expected at least one");
      return false;
    }
    if (rows_.columns() == features_) return true;
    fail_line(rows_.name(),
              rows_.line(),
              "found " + counted(rows_.columns(), "column") + "; the model has " + counted(features_, "feature") +
                  " (--ignore leaves columns out)");
  }
  void read(Real* out) const override { rows_.read(out); }
  const std::vector<std::string>& unknown() const override { return kNothingUnknown; }
  bool has_row_at_hand() const override { return rows_.has_row_at_hand(); }
  std::string place() const override { return rows_.name() + ":" + std::to_string(rows_.line()); }

 private:
  TextRows rows_;
  Index features_;
  bool begun_ = false;
};

// A file that has to be read whole.
class MatrixSource : public RowSource {
 public:
  MatrixSource(std::string name, Matrix rows, Index features) : name_(std::move(name)), rows_(std::move(rows)) {
    if (rows_.cols() != features) {
      fail_file(name_,
                "its rows have " + counted(rows_.cols(), "feature") + "; the model has " + std::to_string(features));
    }
  }

  bool next() override {
    ++at_;
    if (at_ >= rows_.rows()) return false;
    if (!rows_.row(at_).allFinite()) throw DataError(place() + ": it holds a value that is not finite");
    return true;
  }
  void read(Real* out) const override { std::copy(rows_.row(at_).begin(), rows_.row(at_).end(), out); }
  const std::vector<std::string>& unknown() const override { return kNothingUnknown; }
  bool has_row_at_hand() const override { return at_ + 1 < rows_.rows(); }
  std::string place() const override { return name_ + ": row " + std::to_string(at_ + 1); }

 private:
  std::string name_;
  Matrix rows_;
  Index at_ = -1;
};

ByteSource opened_rows(const std::string& path) {
  return path == "-" ? ByteSource::standard_input(kNoByteLimit) : ByteSource::open(path, kNoByteLimit);
}

// A file like the training data's has columns that are no features; a file of as many columns as there are features has
// nothing else.
TextRows laid_out_rows(const FileLayout& layout, Index features, ByteSource source) {
  TextOptions options = layout.text;
  std::vector<Index>& ignored = options.ignored_columns;
  const bool has_group = layout.group_column != kNoColumn;
  if (has_group) ignored.push_back(layout.group_column);
  if (layout.label_column == kLastColumn) {
    // The last one that is not ignored: its place follows from how many there are in all.
    const Index all = features + static_cast<Index>(ignored.size()) + 1;
    const std::set<Index> taken(ignored.begin(), ignored.end());
    Index last = all - 1;
    while (last > 0 && taken.contains(last)) --last;
    ignored.push_back(last);
  } else {
    ignored.push_back(layout.label_column);
  }
  return {std::move(source), options, features};
}

Matrix whole_matrix(const FileLayout& layout, const std::string& path) {
  switch (layout.format) {
    case FileFormat::kMatlab:
      return read_matlab(path, layout.rows_variable);
    case FileFormat::kLibsvm:
      return read_libsvm(path, layout.features).x;
    case FileFormat::kLeaf:
      return read_leaf(path).x;
    case FileFormat::kIdx: {
      const IdxArray arrays = read_idx(path);
      const Index rows = arrays.shape.front();
      using Bytes = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const Index columns = static_cast<Index>(arrays.values.size()) / rows;
      return Eigen::Map<const Bytes>(arrays.values.data(), rows, columns).cast<Real>();
    }
    case FileFormat::kText:
      break;
  }
  refuse("open_rows", "a text is read row by row");
}

}  // namespace

TableSchema schema_for(const Posterior& posterior, const RowWords& words) {
  TableSchema schema = *posterior.table;
  check_argument(words.ignored.empty() || schema.places.empty(),
                 "--ignore",
                 "the model knows the columns of its file by their places; a file has all of them, or just those that "
                 "are learned from");
  for (const std::string& name : words.ignored) {
    const bool is_learned = std::any_of(
        schema.columns.begin(), schema.columns.end(), [&](const TableColumn& column) { return column.name == name; });
    check_argument(!is_learned, "--ignore", [&] { return "the model needs the column '" + name + "'"; });
    const bool is_known = name == schema.label || name == schema.group ||
                          std::find(schema.ignored.begin(), schema.ignored.end(), name) != schema.ignored.end();
    if (!is_known) schema.ignored.push_back(name);
  }
  return schema;
}

bool looks_like(FileFormat format, const std::string& path) {
  std::error_code ignored;
  if (format == FileFormat::kText) return true;
  if (!std::filesystem::is_regular_file(path, ignored)) return true;  // what is read of a pipe is gone
  ByteSource source = ByteSource::open(path);
  const std::string_view block = source.next();
  const std::size_t first = block.find_first_not_of(" \t\r\n");
  switch (format) {
    case FileFormat::kMatlab:
      return block.starts_with("MATLAB");
    case FileFormat::kIdx:
      return block.size() > 3 && block[0] == 0 && block[1] == 0;
    case FileFormat::kLeaf:
      return first != std::string_view::npos && block[first] == '{';
    case FileFormat::kLibsvm: {
      if (first == std::string_view::npos) return false;
      const std::string_view line = block.substr(first, block.find('\n', first) - first);
      return line.find(':') != std::string_view::npos || line.find_first_of(" ,;\t") == std::string_view::npos;
    }
    case FileFormat::kText:
      break;
  }
  return false;
}

std::unique_ptr<RowSource> open_rows(const Posterior& posterior, const std::string& path, const RowWords& words) {
  const Index features = posterior.shape.features;
  if (posterior.table) {
    return std::make_unique<TableSource>(
        opened_rows(path), schema_for(posterior, words), TableRows::Options{words.separator, words.decimal});
  }
  if (words.text) return std::make_unique<TextSource>(TextRows(opened_rows(path), *words.text), features);
  if (posterior.layout && posterior.layout->format == FileFormat::kText) {
    FileLayout layout = *posterior.layout;
    layout.text.separator = words.separator.value_or(layout.text.separator);
    return std::make_unique<TextSource>(laid_out_rows(layout, features, opened_rows(path)), features);
  }
  if (posterior.layout && path != "-" && looks_like(posterior.layout->format, path)) {
    return std::make_unique<MatrixSource>(path, whole_matrix(*posterior.layout, path), features);
  }
  return std::make_unique<TextSource>(TextRows(opened_rows(path), TextOptions{}), features);
}

}  // namespace fedstein
