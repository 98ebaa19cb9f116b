// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fedstein/data/source.h"
#include "fedstein/table/record_scanner.h"

namespace fedstein {

// A table is held as text while its columns are studied; more than this is another tool's work.
inline constexpr std::uint64_t kTableLimit = std::uint64_t{2} << 30;

// Throws DataError where the bytes are no UTF-8 text; `line` is the number of their first line.
void check_is_text(std::string_view bytes, const std::string& name, Index line);

// Throws DataError for what is known by its first bytes to be no text: UTF-16, a spreadsheet.
void check_beginning(std::string_view bytes, const std::string& name);

// Whether more bytes are needed to be sure of that: these are the first of such a beginning.
bool may_begin_otherwise(std::string_view bytes);

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The whole text of a table, checked.
class TableText {
 public:
  explicit TableText(ByteSource source);

  const std::string& name() const { return name_; }
  std::string_view text() const { return std::string_view(bytes_).substr(begin_); }

 private:
  std::string name_;
  std::string bytes_;
  std::size_t begin_ = 0;  // behind a byte order mark
};

// The records of a text, from its beginning.
class Records {
 public:
  Records(const TableText& table, char separator)
      : scanner_(table.name(), separator), at_(table.text().data()), end_(at_ + table.text().size()) {}

  bool next() { return scanner_.scan(at_, end_, true) == RecordScanner::Found::kRecord; }
  const std::vector<std::string_view>& fields() const { return scanner_.fields(); }
  Index line() const { return scanner_.line(); }
  const RecordScanner& scanner() const { return scanner_; }

 private:
  RecordScanner scanner_;
  const char* at_;
  const char* end_;
};

}  // namespace fedstein
