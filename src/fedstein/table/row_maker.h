// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/table/row_places.h"
#include "fedstein/table/value_list.h"

namespace fedstein {

// Turns the fields of one record into what a schema makes of them: the one way from text to numbers, whoever reads.
class RowMaker {
 public:
  // `schema` and `file`, the name for messages, must outlive it.
  RowMaker(const TableSchema& schema, char decimal, const std::string& file);

  void set_places(RowPlaces places) { places_ = std::move(places); }
  const RowPlaces& places() const { return places_; }
  void set_decimal(char decimal) { decimal_ = decimal; }

  // The features, feature_count(schema) of them. False: a value is missing that nothing stands in for; missing()
  // says which. Throws DataError for a cell that does not fit. `unknown` collects the names of columns whose category
  // is not in the schema; without it such a cell is refused.
  bool make_features(const std::vector<std::string_view>& fields,
                     Index line,
                     Real* out,
                     std::vector<std::string>* unknown);
  // -1/+1, a class or a number, and the group; false where one is missing.
  bool make_label(const std::vector<std::string_view>& fields, Index line, Real& label, Index& group);

  // Whether the row is to be left out whatever stands in its other cells: it lacks a value that nothing stands in for,
  // and the schema leaves such rows out.
  bool is_left_out(const std::vector<std::string_view>& fields) const;

  // A sentence about the column that made the last call false.
  std::string missing() const;
  // Whether that is one of the schema's columns, though missing values are to be imputed: it has nothing to stand in.
  bool lacks_agreed_value() const;
  [[noreturn]] void fail_missing(Index line) const;
  // Throws DataError unless there are as many fields as places().width.
  void check_width(const std::vector<std::string_view>& fields, Index line) const;

 private:
  Real* make_number(const TableColumn& column, std::string_view cell, Index line, Real* out);
  Real* make_category(std::size_t k, std::string_view cell, Index line, Real* out, std::vector<std::string>* unknown);
  Real number_in(std::string_view cell, const std::string& name, double origin, Index line) const;
  [[noreturn]] void fail_cell(Index line,
                              const std::string& column,
                              std::string_view cell,
                              const std::string& wanted) const;

  const TableSchema& schema_;
  char decimal_;
  const std::string& file_;
  RowPlaces places_;
  std::vector<ValuePlaces> categories_;  // of TableSchema::columns
  ValuePlaces classes_;                  // the label's values
  std::vector<Index> class_of_;          // of each of them
  ValuePlaces groups_;
  const std::string* missing_ = nullptr;
};

}  // namespace fedstein
