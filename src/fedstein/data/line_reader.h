// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/data/source.h"

namespace fedstein {

// The lines of a text. LF and CRLF end a line, the last one may lack its end, a UTF-8 byte order mark in front is
// dropped. Empty lines are allowed after the last row, nowhere else: in the middle they would be rows that went
// missing.
class LineReader {
 public:
  explicit LineReader(ByteSource source) : source_(std::move(source)) {}

  // Moves to the next line that is not empty; false at the end. The line is valid until the next call.
  bool next(std::string_view& line);
  // Whether a whole further line is in memory already.
  bool has_line_at_hand() const { return block_.find('\n') != std::string_view::npos; }
  // The number of the current line, from 1.
  Index number() const { return number_; }
  const std::string& name() const { return source_.name(); }
  [[noreturn]] void fail(const std::string& complaint) const { fail_line(name(), number_, complaint); }

 private:
  bool next_raw(std::string_view& line);

  ByteSource source_;
  std::string_view block_;  // not yet given out
  std::string joined_;      // a line that spans blocks
  Index number_ = 0;
};

}  // namespace fedstein
