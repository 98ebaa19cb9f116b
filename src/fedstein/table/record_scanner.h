// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/error.h"

namespace fedstein {

// A line that has more is no row of a table, and would take sixteen bytes a comma.
inline constexpr std::size_t kMostColumns = 1'000'000;

// Text to records, in the way of RFC 4180 and a little wider: fields in quotes may hold separators, line ends and ""
// for a quote; LF and CRLF end a record; lines of blanks and lines that begin with # are passed over; blanks around a
// field are dropped; a record has at most kMostColumns fields. Fields are views into the text, or into the scanner
// where "" had to become ".
class RecordScanner {
 public:
  enum class Found { kRecord, kEnd, kUnfinished };

  // `name` must outlive the scanner; a separator of ' ' stands for any run of blanks and tabs.
  RecordScanner(const std::string& name, char separator);

  // Reads the record at `at` and moves behind it. kUnfinished: its end is not in the text, and `is_all` says that more
  // may come; `at` is then where to begin again. Throws DataError, behind the bad line.
  Found scan(const char*& at, const char* end, bool is_all);

  // Of the last record; valid as long as the text, until the next call.
  const std::vector<std::string_view>& fields() const { return fields_; }
  Index line() const { return line_; }
  // Where its line began, behind empty lines and comments.
  const char* begin() const { return begin_; }
  Index comments() const { return comments_; }
  Index first_comment() const { return first_comment_; }
  // Lines are counted from 1 unless the text begins elsewhere.
  void set_next_line(Index line) { next_line_ = line; }
  Index next_line() const { return next_line_; }

 private:
  enum class Field { kEnded, kUnfinished, kFailed };

  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  const char* behind_blanks(const char* at, const char* end) const;
  Found skip_empty(const char*& at, const char* end, bool is_all);
  Field read_plain(const char*& p, const char* end);
  Field read_quoted(const char*& p, const char* end, bool is_all);
  std::string_view unescaped(std::string_view inside);
  Found fail_at(const char*& at, const char* p, const char* end, bool is_all);

  const std::string& name_;
  char separator_;
  std::array<bool, 256> stops_{};  // characters that end a plain field
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;  // of the current record; a deque: its strings stay where they are
  const char* begin_ = nullptr;
  Index line_ = 0;
  Index next_line_ = 1;
  Index newlines_ = 0;  // inside the current record
  Index comments_ = 0;
  Index first_comment_ = 0;
  std::string problem_;
  Index problem_line_ = 0;
};

}  // namespace fedstein
