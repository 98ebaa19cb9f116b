// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/column_study.h"

#include <algorithm>

#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

// In all columns together: about a gigabyte.
constexpr Index kMostValues = 5'000'000;

// Fewer rows count up by chance.
constexpr Index kSurelyCounted = 5;

// A few odd cells in a column of numbers are mistakes; more of them are text.
constexpr Index kOddCells = 20;  // one in so many

void note(FoundCell& first, Index line, std::string_view text) {
  if (first.line == 0 || line < first.line) first = {line, std::string(text.substr(0, 100))};
}

void study_cell(ColumnStudy& column, std::string_view cell, Index line, const StudyPlan& plan) {
  double value = 0;
  switch (read_cell(cell, plan.dialect.decimal, value)) {
    case CellKind::kNumber:
      if (column.numbers++ == 0)
        column.low = column.high = value;
      else if (value == column.last + 1)
        ++column.steps;
      column.last = value;
      column.low = std::min(column.low, value);
      column.high = std::max(column.high, value);
      if (plan.decimal_is_open && cell.find('.') != std::string_view::npos) ++column.with_point;
      return;
    case CellKind::kOutOfRange:
      if (column.out_of_range++ == 0) note(column.first_out_of_range, line, cell);
      return;
    case CellKind::kText:
      break;
  }
  if (column.texts++ == 0) note(column.first_text, line, cell);
  if (looks_like_a_date(cell)) ++column.dates;
  const char other = plan.dialect.decimal == '.' ? ',' : '.';
  if (read_cell(cell, other, value) == CellKind::kNumber) ++column.other_mark;
}

// The rows behind the header with what is missing in them.
class StudiedRows {
 public:
  StudiedRows(const TableText& table, const StudyPlan& plan)
      : plan_(plan), name_(table.name()), records_(table, plan.dialect.separator), missing_(plan.names.size(), false) {
    if (plan.dialect.header) records_.next();
  }

  bool next() {
    if (!records_.next()) return false;
    const auto& fields = records_.fields();
    if (fields.size() != plan_.names.size()) fail_ragged();
    stays_ = true;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      missing_[k] = is_missing(fields[k]) && plan_.told[k].find(fields[k], plan_.dialect.decimal) < 0;
      if (!missing_[k] || plan_.roles.ignored[k]) continue;
      const bool is_imputed = plan_.missing == MissingRule::kImpute && plan_.roles.is_feature(k);
      if (plan_.missing != MissingRule::kRefuse && !is_imputed) stays_ = false;
    }
    return true;
  }
  bool stays() const { return stays_; }
  bool is_missing_at(std::size_t k) const { return missing_[k]; }
  const Records& records() const { return records_; }

 private:
  [[noreturn]] void fail_ragged() const {
    const std::string names = plan_.dialect.header ? ", " + shown_list(plan_.names, 20) : "";
    fail_line(name_,
              records_.line(),
              "found " + counted(static_cast<Index>(records_.fields().size()), "column") + "; expected " +
                  std::to_string(plan_.names.size()) + names);
  }

  const StudyPlan& plan_;
  const std::string& name_;
  Records records_;
  std::vector<bool> missing_;
  bool stays_ = true;
};

}  // namespace

ColumnKind ColumnStudy::kind() const {
  if (present() == 0) return ColumnKind::kEmpty;
  if (texts == 0) return ColumnKind::kNumber;
  if (2 * dates > present()) return ColumnKind::kDate;
  return texts * kOddCells <= present() ? ColumnKind::kFlawed : ColumnKind::kText;
}

bool ColumnStudy::counts_rows() const {
  return numbers >= kSurelyCounted && steps == numbers - 1 && present() == numbers && missing == 0;
}

void study_columns(const TableText& table, const StudyPlan& plan, TableStudy& study) {
  study = {.columns = std::vector<ColumnStudy>(plan.names.size())};
  StudiedRows rows(table, plan);
  while (rows.next()) {
    ++(rows.stays() ? study.rows : study.dropped);
    const Records& records = rows.records();
    for (std::size_t k = 0; k < study.columns.size(); ++k) {
      ColumnStudy& column = study.columns[k];
      if (rows.is_missing_at(k)) {
        if (column.missing++ == 0) column.first_missing = records.line();
        if (rows.stays()) ++column.missing_kept;
      } else if (rows.stays()) {
        study_cell(column, records.fields()[k], records.line(), plan);
      }
    }
  }
  study.comments = rows.records().scanner().comments();
  study.first_comment = rows.records().scanner().first_comment();
}

bool ColumnValues::add(std::string_view cell, char decimal) {
  double value = 0;
  const bool wants_code = as_numbers && most > 0 && !is_too_many_;
  if ((wants_code || keeps_numbers) && read_cell(cell, decimal, value) == CellKind::kNumber) {
    if (keeps_numbers) numbers.push_back(value);
    if (!wants_code) return false;
    if (const auto found = codes_.find(value); found != codes_.end()) {
      ++found->second.second;
      return false;
    }
    is_too_many_ = codes_.size() == most;
    if (!is_too_many_) codes_.emplace(value, std::pair(with_decimal_point(cell, decimal), Index{1}));
    return !is_too_many_;
  }
  if (as_numbers || most == 0 || is_too_many_) return false;
  if (const auto found = texts_.find(cell); found != texts_.end()) {
    ++found->second;
    return false;
  }
  is_too_many_ = texts_.size() == most;
  if (!is_too_many_) texts_.emplace(cell, Index{1});
  return !is_too_many_;
}

std::vector<std::pair<std::string, Index>> ColumnValues::sorted() const {
  std::vector<std::pair<std::string, Index>> list(texts_.begin(), texts_.end());
  std::sort(list.begin(), list.end());
  std::vector<std::pair<double, std::pair<std::string, Index>>> codes(codes_.begin(), codes_.end());
  std::sort(codes.begin(), codes.end());
  for (auto& code : codes) list.push_back(std::move(code.second));
  return list;
}

void collect_values(const TableText& table, const StudyPlan& plan, std::vector<ColumnValues>& values) {
  std::vector<std::size_t> wanted;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].most > 0 || values[k].keeps_numbers) wanted.push_back(k);
  }
  if (wanted.empty()) return;
  StudiedRows rows(table, plan);
  Index kept = 0;
  while (rows.next()) {
    if (!rows.stays()) continue;
    for (const std::size_t k : wanted) {
      if (!rows.is_missing_at(k) && values[k].add(rows.records().fields()[k], plan.dialect.decimal)) ++kept;
    }
    if (kept > kMostValues) {
      fail_line(table.name(),
                rows.records().line(),
                "the columns of text have more than " + std::to_string(kMostValues) +
                    " different values in all; expected fewer (ignore = leaves columns out)");
    }
  }
}

}  // namespace fedstein
