// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/row_maker.h"

#include <cmath>
#include <limits>

#include "fedstein/data/error.h"
#include "fedstein/data/number.h"
#include "fedstein/numeric/check.h"
#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"

namespace fedstein {

RowMaker::RowMaker(const TableSchema& schema, char decimal, const std::string& file)
    : schema_(schema),
      decimal_(decimal),
      file_(file),
      classes_(label_values(schema)),
      class_of_(classes_of_values(schema)),
      groups_(schema.groups) {
  for (const TableColumn& column : schema.columns) categories_.emplace_back(column.categories);
}

void RowMaker::check_width(const std::vector<std::string_view>& fields, Index line) const {
  if (fields.size() == places_.width) return;
  fail_line(
      file_,
      line,
      "found " + counted(static_cast<Index>(fields.size()), "column") + "; expected " + std::to_string(places_.width));
}

void RowMaker::fail_cell(Index line,
                         const std::string& column,
                         std::string_view cell,
                         const std::string& wanted) const {
  fail_line(file_, line, shown_column(column) + ": found " + in_quotes(cell) + "; expected " + wanted);
}

std::string RowMaker::missing() const {
  std::string text = missing_ == nullptr ? "a value" : shown_column(*missing_) + ": the value";
  text += " is missing; expected one in every row";
  if (lacks_agreed_value()) text += ", since the column was agreed to have no missing values";
  return text;
}

bool RowMaker::lacks_agreed_value() const {
  return schema_.missing == MissingRule::kImpute && missing_ != &schema_.label && missing_ != &schema_.group;
}

void RowMaker::fail_missing(Index line) const {
  fail_line(file_, line, missing());
}

bool RowMaker::is_left_out(const std::vector<std::string_view>& fields) const {
  if (schema_.missing == MissingRule::kRefuse) return false;
  const auto lacks = [&](Index place, const ValuePlaces& values) {
    if (place < 0) return false;
    const std::string_view cell = fields[static_cast<std::size_t>(place)];
    return is_missing(cell) && values.find(cell, decimal_) < 0;
  };
  if (lacks(places_.label, classes_) || lacks(places_.group, groups_)) return true;
  for (std::size_t k = 0; schema_.missing == MissingRule::kDrop && k < schema_.columns.size(); ++k) {
    if (lacks(places_.columns[k], categories_[k])) return true;
  }
  return false;
}

Real RowMaker::number_in(std::string_view cell, const std::string& name, double origin, Index line) const {
  double value = 0;
  const CellKind kind = read_cell(cell, decimal_, value);
  if (kind == CellKind::kText) {
    const bool has_other_mark = read_cell(cell, decimal_ == '.' ? ',' : '.', value) == CellKind::kNumber;
    fail_cell(line,
              name,
              cell,
              has_other_mark               ? std::string("a number with '") + decimal_ + "' as its decimal mark"
              : looks_like_thousands(cell) ? "a number without thousands separators"
                                           : "a number");
  }
  value -= origin;
  if (kind == CellKind::kOutOfRange || std::abs(value) > static_cast<double>(std::numeric_limits<Real>::max())) {
    fail_cell(line, name, cell, std::string("a finite number that fits into ") + kRealName);
  }
  return static_cast<Real>(value);
}

Real* RowMaker::make_number(const TableColumn& column, std::string_view cell, Index line, Real* out) {
  double value = 0;
  // Numbers are what most cells are; whether one is missing is asked only of the others.
  const bool is_number = read_cell(cell, decimal_, value) == CellKind::kNumber;
  const bool lacks = !is_number && is_missing(cell);
  if (lacks && !(schema_.missing == MissingRule::kImpute && column.fill)) {
    missing_ = &column.name;
    return nullptr;
  }
  value -= column.origin;
  const bool fits = is_number && std::abs(value) <= static_cast<double>(std::numeric_limits<Real>::max());
  *out++ = fits    ? static_cast<Real>(value)
           : lacks ? static_cast<Real>(*column.fill - column.origin)
                   : number_in(cell, column.name, column.origin, line);
  if (column.has_mark()) *out++ = lacks ? Real{1} : Real{0};
  return out;
}

Real* RowMaker::make_category(
    std::size_t k, std::string_view cell, Index line, Real* out, std::vector<std::string>* unknown) {
  const TableColumn& column = schema_.columns[k];
  const bool is_imputed = schema_.missing == MissingRule::kImpute && column.fill;
  Index place = categories_[k].find(cell, decimal_);
  bool lacks = false;
  if (place < 0) {
    lacks = is_missing(cell);
    if (lacks && !is_imputed) {
      missing_ = &column.name;
      return nullptr;
    }
    if (!lacks && unknown == nullptr) {
      fail_cell(line, column.name, cell, "one of " + shown_list(column.categories));
    }
    if (!lacks) {
      unknown->push_back(column.name);
      lacks = is_imputed;
    }
    place = lacks ? static_cast<Index>(*column.fill) : 0;
  }
  const auto count = static_cast<Index>(column.categories.size());
  for (Index i = 1; i < count; ++i) *out++ = i == place ? Real{1} : Real{0};
  if (column.has_mark()) *out++ = lacks ? Real{1} : Real{0};
  return out;
}

bool RowMaker::make_features(const std::vector<std::string_view>& fields,
                             Index line,
                             Real* out,
                             std::vector<std::string>* unknown) {
  for (std::size_t k = 0; k < schema_.columns.size(); ++k) {
    const TableColumn& column = schema_.columns[k];
    const std::string_view cell = fields[static_cast<std::size_t>(places_.columns[k])];
    out = column.is_number() ? make_number(column, cell, line, out) : make_category(k, cell, line, out, unknown);
    if (out == nullptr) return false;
  }
  return true;
}

bool RowMaker::make_label(const std::vector<std::string_view>& fields, Index line, Real& label, Index& group) {
  const std::string_view cell = fields[static_cast<std::size_t>(places_.label)];
  Index place = classes_.find(cell, decimal_);
  if (place < 0 && is_missing(cell)) {
    missing_ = &schema_.label;
    return false;
  }
  if (schema_.classes.empty()) {
    label = number_in(cell, schema_.label, 0, line);
    // Judged before it was rounded: 2.99999999 is no count.
    double exact = 0;
    const bool is_exact = read_cell(cell, decimal_, exact) == CellKind::kNumber && is_count(exact);
    if (schema_.labels == LabelKind::kCounts && !is_exact) {
      fail_cell(line, schema_.label, cell, "a count: a whole number from 0 to " + to_text(kMostCount));
    }
  } else if (place < 0) {
    fail_cell(line, schema_.label, cell, "one of the classes " + shown_list(label_values(schema_)));
  } else {
    place = class_of_[static_cast<std::size_t>(place)];
    label = schema_.labels == LabelKind::kBinary ? (place == 0 ? Real{-1} : Real{1}) : static_cast<Real>(place);
  }
  group = kNoGroup;
  if (places_.group < 0) return true;
  const std::string_view own = fields[static_cast<std::size_t>(places_.group)];
  group = groups_.find(own, decimal_);
  if (group >= 0) return true;
  if (!is_missing(own)) fail_cell(line, schema_.group, own, "one of the groups " + shown_list(schema_.groups));
  missing_ = &schema_.group;
  return false;
}

}  // namespace fedstein
