// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fedstein/data/source.h"
#include "fedstein/table/record_scanner.h"

namespace fedstein {

// The records of a source that may not have an end, one at a time; memory is that of one record and one block. Throws
// DataError for what RecordScanner and check_is_text() refuse and for a record of more than 1 MiB, and goes on behind
// it.
class RecordStream {
 public:
  explicit RecordStream(ByteSource source) : source_(std::move(source)) {}

  // Before the first next().
  void begin(char separator);
  bool next();
  // The current record, which must be the first, read with another separator; false, and nothing to read, where that
  // cannot be.
  bool scan_again(char separator);

  const std::vector<std::string_view>& fields() const { return scanner_->fields(); }
  Index line() const { return scanner_->line(); }
  Index comments() const { return scanner_->comments(); }
  Index first_comment() const { return scanner_->first_comment(); }
  const std::string& name() const { return source_.name(); }
  char separator() const { return separator_; }
  // Whether next() would not wait for bytes.
  bool has_record_at_hand() const;

 private:
  void fill();
  void fill_until_end();
  [[noreturn]] void leave_long_record();

  ByteSource source_;
  std::optional<RecordScanner> scanner_;
  char separator_ = ',';
  std::string buffer_;
  std::size_t at_ = 0;      // behind the current record
  std::size_t begin_ = 0;   // of the current record
  Index first_line_ = 1;    // at begin_
  bool has_begun_ = false;  // the source's first bytes have been seen
  bool is_all_ = false;     // the source has ended
};

}  // namespace fedstein
