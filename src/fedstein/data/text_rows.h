// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "fedstein/data/line_reader.h"
#include "fedstein/data/text.h"

namespace fedstein {

// The rows of a table of numbers one at a time, for whoever cannot wait for the last or hold them all: memory is that
// of one line. What is refused, and how, is as read_text() says.
class TextRows {
 public:
  // `bare`: a file of just so many columns has none to ignore; 0: every file has.
  TextRows(ByteSource source, const TextOptions& options, Index bare = 0);

  // Moves to the next row; false at the end.
  bool next();
  // Numbers of a row that are kept; known once there is a row.
  Index columns() const { return kept_; }
  // The current row's numbers, into columns() places.
  void read(Real* out) const;

  // Whether the next row can be had without waiting for more bytes: a row that comes now is better answered now.
  bool has_row_at_hand() const { return lines_.has_line_at_hand(); }
  Index line() const { return lines_.number(); }
  const std::string& name() const { return lines_.name(); }

 private:
  void settle_columns();
  Real read_field(std::string_view field, Index column) const;
  [[noreturn]] void fail_ragged() const;

  LineReader lines_;
  TextOptions options_;
  Index bare_;
  std::string_view row_;
  std::vector<bool> keep_;  // per column of the file
  Index kept_ = 0;
  bool begun_ = false;
};

}  // namespace fedstein
