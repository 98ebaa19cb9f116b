// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/data/source.h"
#include "fedstein/table/table_schema.h"

namespace fedstein {

// Rows to predict for, one at a time from a source that may not have an end; memory is that of one row.
//
// Columns are found by their names: those of the schema must all be there, in any order; label, group and ignored ones
// may be; any other is refused by its name. Where the schema has no names (TableSchema::places), a line holds either
// all columns of the training file or just the features' ones, in its order.
class TableRows {
 public:
  struct Options {
    std::optional<char> separator = {};  // else the schema's, or what the first line shows
    std::optional<char> decimal = {};
  };
  // The schema is copied. Throws DataError for an empty source or a first line that does not fit.
  TableRows(ByteSource source, const TableSchema& schema, const Options& options);
  TableRows(TableRows&&) noexcept;
  TableRows& operator=(TableRows&&) noexcept;
  ~TableRows();

  // Moves to the next row; false at the end. Throws DataError for a row that cannot be read; the next call then goes on
  // behind it, so that a stream can leave it out.
  bool next();
  // The current row's features, feature_count(schema) of them.
  void read(Real* out) const;
  // Columns of the current row whose category training has not seen. (With MissingRule::kRefuse and kDrop a missing
  // value is an error of next(); with kImpute a category that is not known counts as missing.)
  const std::vector<std::string>& unknown() const;
  // Whether a further row can be had without waiting for bytes.
  bool has_row_at_hand() const;
  Index line() const;
  const std::string& name() const;
  // What the file's owner should know of what was passed over so far: lines that were taken as comments. Empty:
  // nothing.
  std::string remark() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace fedstein
