// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/source.h"
#include "fedstein/data/text.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// Rows to predict for, one at a time, whatever they are read from.
class RowSource {
 public:
  virtual ~RowSource() = default;

  // Moves to the next row; false at the end. Throws DataError for a row that cannot be read; the next call goes on
  // behind it.
  virtual bool next() = 0;
  // The current row's features. Throws DataError likewise.
  virtual void read(Real* out) const = 0;
  // Columns of the current row with a value that training has not seen.
  virtual const std::vector<std::string>& unknown() const = 0;
  // Whether a further row can be had without waiting.
  virtual bool has_row_at_hand() const = 0;
  // What the file's owner should know of what was passed over so far; empty: nothing.
  virtual std::string remark() const { return {}; }
  // "rows.csv:7", of the current row.
  virtual std::string place() const = 0;
};

// What the user says of the file, against or beside what the posterior remembers.
struct RowWords {
  std::optional<char> separator = {};     // of a table, or of a text that is laid out as in training
  std::optional<char> decimal = {};       // of a table with names
  std::vector<std::string> ignored = {};  // of a table with names: further columns that are left out
  // Set: the file is a table of numbers laid out like this, whatever the posterior remembers.
  std::optional<TextOptions> text = {};
};

// Reads `path` ("-": the standard input) as the posterior's training data were read: a table by the names of its
// columns; a text or one of the other formats by its layout; and where nothing is known, rows of features in the order
// of training. A file that plainly is no file of the remembered format is read as the last. Throws DataError.
std::unique_ptr<RowSource> open_rows(const Posterior& posterior, const std::string& path, const RowWords& words);

// The posterior's table with further columns that are left out, and another dialect. Throws InvalidArgument for a
// column that is learned from.
TableSchema schema_for(const Posterior& posterior, const RowWords& words);

// Whether the file's first bytes are those of this format, as far as they can tell.
bool looks_like(FileFormat format, const std::string& path);

}  // namespace fedstein
