// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/table_rows.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "fedstein/table/cell.h"
#include "fedstein/table/header.h"
#include "fedstein/table/names.h"
#include "fedstein/table/record_stream.h"
#include "fedstein/table/row_maker.h"

namespace fedstein {

class TableRows::State {
 public:
  State(ByteSource source, const TableSchema& schema, const Options& options)
      : schema_((check_schema(schema), schema)),
        stream_(std::move(source)),
        decimal_(options.decimal.value_or(schema.dialect.decimal)),
        row_(static_cast<std::size_t>(feature_count(schema))) {
    settle(options);
  }

  bool next() {
    if (!is_first_at_hand_ && !stream_.next()) return false;
    is_first_at_hand_ = false;
    unknown_.clear();
    maker_->check_width(stream_.fields(), stream_.line());
    if (decimal_is_open_) look_for_decimal();
    if (!maker_->make_features(stream_.fields(), stream_.line(), row_.data(), &unknown_)) {
      maker_->fail_missing(stream_.line());
    }
    return true;
  }

  const std::vector<Real>& row() const { return row_; }
  const std::vector<std::string>& unknown() const { return unknown_; }
  RecordStream& stream() { return stream_; }
  const RecordStream& stream() const { return stream_; }
  bool is_first_at_hand() const { return is_first_at_hand_; }

 private:
  void settle(const Options& options) {
    stream_.begin(options.separator.value_or(schema_.dialect.separator));
    if (!stream_.next()) fail_file(stream_.name(), "there is no row; expected at least one");
    if (!options.separator) try_other_separators();
    const char separator = stream_.separator();
    if (separator == ',' && !options.decimal) decimal_ = '.';
    if (separator == decimal_) fail_file(stream_.name(), "the separator and the decimal mark are both ','");
    decimal_is_open_ = separator != ',' && !options.decimal;
    maker_.emplace(schema_, decimal_, stream_.name());
    if (schema_.places.empty()) {
      settle_by_names();
    } else {
      settle_by_places();
    }
  }

  // Likewise of the decimal mark; the first number with one shows it.
  void look_for_decimal() {
    double value = 0;
    for (std::size_t k = 0; k < schema_.columns.size() && decimal_is_open_; ++k) {
      if (!schema_.columns[k].is_number()) continue;
      const std::string_view cell = stream_.fields()[static_cast<std::size_t>(maker_->places().columns[k])];
      for (const char mark : {'.', ','}) {
        if (cell.find(mark) == std::string_view::npos || read_cell(cell, mark, value) != CellKind::kNumber) continue;
        decimal_is_open_ = false;
        maker_->set_decimal(mark);
      }
    }
  }

  // What the schema's file had is not what this one must have; the first line shows it.
  void try_other_separators() {
    const char own = schema_.dialect.separator;
    if (fits_first_line()) return;
    for (const char separator : {',', ';', '\t', '|', ' '}) {
      if (separator == own || !stream_.scan_again(separator)) continue;
      if (fits_first_line()) return;
    }
    stream_.scan_again(own);
  }

  bool fits_first_line() const {
    if (!schema_.places.empty()) {
      return stream_.fields().size() == schema_.places.size() || stream_.fields().size() == schema_.columns.size();
    }
    std::unordered_set<std::string_view> names;
    for (const std::string_view field : stream_.fields()) names.insert(without_blanks_around(field));
    for (const TableColumn& column : schema_.columns) {
      // The first column may have no name, see header_names().
      if (!names.contains(column.name) && column.name != place_name(0)) return false;
    }
    return true;
  }

  void settle_by_names() {
    check_has_names(schema_, stream_.fields(), stream_.name(), stream_.line());
    const std::vector<std::string> names = header_names(stream_.fields(), stream_.name(), stream_.line());
    maker_->set_places(find_places(schema_, names, false, stream_.name(), stream_.line()));
  }

  void settle_by_places() {
    is_first_at_hand_ = true;
    const std::size_t width = stream_.fields().size();
    if (width == schema_.places.size()) {
      maker_->set_places(find_places(schema_, schema_.places, false, stream_.name(), stream_.line()));
      return;
    }
    if (width != schema_.columns.size()) {
      fail_line(stream_.name(),
                stream_.line(),
                "found " + counted(static_cast<Index>(width), "column") + "; expected the " +
                    std::to_string(schema_.columns.size()) + " that are learned from, or all " +
                    std::to_string(schema_.places.size()));
    }
    // Those that are learned from, in the order in which the training file has them.
    RowPlaces places{.width = width};
    places.columns.resize(width);
    std::unordered_map<std::string_view, std::size_t> learned;
    for (std::size_t k = 0; k < schema_.columns.size(); ++k) learned.emplace(schema_.columns[k].name, k);
    Index at = 0;
    for (const std::string& name : schema_.places) {
      if (const auto found = learned.find(name); found != learned.end()) places.columns[found->second] = at++;
    }
    maker_->set_places(std::move(places));
  }

  TableSchema schema_;
  RecordStream stream_;
  char decimal_;
  bool decimal_is_open_ = false;
  std::optional<RowMaker> maker_;
  std::vector<Real> row_;
  std::vector<std::string> unknown_;
  bool is_first_at_hand_ = false;
};

TableRows::TableRows(ByteSource source, const TableSchema& schema, const Options& options)
    : state_(std::make_unique<State>(std::move(source), schema, options)) {}
TableRows::TableRows(TableRows&&) noexcept = default;
TableRows& TableRows::operator=(TableRows&&) noexcept = default;
TableRows::~TableRows() = default;

bool TableRows::next() {
  return state_->next();
}

void TableRows::read(Real* out) const {
  for (const Real value : state_->row()) *out++ = value;
}

const std::vector<std::string>& TableRows::unknown() const {
  return state_->unknown();
}

bool TableRows::has_row_at_hand() const {
  return state_->is_first_at_hand() || state_->stream().has_record_at_hand();
}

Index TableRows::line() const {
  return state_->stream().line();
}

const std::string& TableRows::name() const {
  return state_->stream().name();
}

std::string TableRows::remark() const {
  const RecordStream& stream = state_->stream();
  return stream.comments() == 0 ? "" : comments_remark(stream.comments(), stream.first_comment());
}

}  // namespace fedstein
