// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/record_scanner.h"

#include <algorithm>
#include <cstring>

namespace fedstein {
namespace {

const char* find_char(const char* at, const char* end, char c) {
  if (at == end) return nullptr;
  return static_cast<const char*>(std::memchr(at, c, static_cast<std::size_t>(end - at)));
}

}  // namespace

RecordScanner::RecordScanner(const std::string& name, char separator) : name_(name), separator_(separator) {
  for (const char c : {separator, '\n', '\r'}) stops_[static_cast<unsigned char>(c)] = true;
  if (separator == ' ') stops_['\t'] = true;
}

const char* RecordScanner::behind_blanks(const char* at, const char* end) const {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

// kRecord: something begins at `at`.
RecordScanner::Found RecordScanner::skip_empty(const char*& at, const char* end, bool is_all) {
  const Found without_more = is_all ? Found::kEnd : Found::kUnfinished;
  while (true) {
    const char* p = behind_blanks(at, end);
    if (p == end) return without_more;
    if (*p == '\r' && p + 1 == end) return without_more;
    if (*p == '\r' && p[1] == '\n') ++p;
    if (*p == '\n') {
      at = p + 1;
      ++next_line_;
      continue;
    }
    if (*p != '#') return Found::kRecord;
    const char* stop = find_char(p, end, '\n');
    if (stop == nullptr && !is_all) return Found::kUnfinished;
    if (comments_++ == 0) first_comment_ = next_line_;
    ++next_line_;
    if (stop == nullptr) return Found::kEnd;
    at = stop + 1;
  }
}

RecordScanner::Found RecordScanner::scan(const char*& at, const char* end, bool is_all) {
  const Found first = skip_empty(at, end, is_all);
  if (first == Found::kEnd) at = end;
  if (first != Found::kRecord) return first;
  fields_.clear();
  unescaped_.clear();  // kept for reuse, each would stay as long as the longest there ever was
  newlines_ = 0;
  line_ = next_line_;
  begin_ = at;
  const char* p = at;
  while (true) {
    p = behind_blanks(p, end);
    const Field field = p != end && *p == '"' ? read_quoted(p, end, is_all) : read_plain(p, end);
    if (field == Field::kUnfinished) return Found::kUnfinished;
    if (field == Field::kFailed) return fail_at(at, p, end, is_all);
    if (fields_.size() > kMostColumns) {
      problem_ = "the row has more than " + std::to_string(kMostColumns) + " columns; is the separator the right one?";
      problem_line_ = line_;
      return fail_at(at, p, end, is_all);
    }
    // Blanks at the end of a line separate nothing.
    if (separator_ == ' ') p = behind_blanks(p, end);
    if (p == end || (*p == '\r' && p + 1 == end)) {
      if (!is_all) return Found::kUnfinished;
      at = end;
      break;
    }
    if (*p == '\r' && p[1] != '\n') {
      problem_ = "found a carriage return inside a line; expected lines that end with LF or CRLF";
      problem_line_ = line_ + newlines_;
      return fail_at(at, p, end, is_all);
    }
    if (*p == '\r' || *p == '\n') {
      at = p + (*p == '\r' ? 2 : 1);
      break;
    }
    if (separator_ != ' ') ++p;
  }
  next_line_ = line_ + newlines_ + 1;
  return Found::kRecord;
}

RecordScanner::Field RecordScanner::read_plain(const char*& p, const char* end) {
  const char* begin = p;
  while (p != end && !stops_[static_cast<unsigned char>(*p)]) ++p;
  const char* stop = p;
  while (stop != begin && is_blank(stop[-1])) --stop;
  fields_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
  return Field::kEnded;
}

RecordScanner::Field RecordScanner::read_quoted(const char*& p, const char* end, bool is_all) {
  const char* begin = p + 1;
  const Index open_line = line_ + newlines_;
  const char* quote = begin;
  bool escapes = false;
  while (true) {
    quote = find_char(quote, end, '"');
    if (quote == nullptr || (quote + 1 == end && !is_all)) {
      if (!is_all) return Field::kUnfinished;
      problem_ = "the quote that opens here is never closed; expected a second one behind the field";
      problem_line_ = open_line;
      return Field::kFailed;
    }
    if (quote + 1 == end || quote[1] != '"') break;
    escapes = true;
    quote += 2;
  }
  newlines_ += std::count(begin, quote, '\n');
  const std::string_view inside(begin, static_cast<std::size_t>(quote - begin));
  fields_.push_back(escapes ? unescaped(inside) : inside);
  p = quote + 1;
  // With blanks as the separator a blank ends the field, else it is passed over.
  if (separator_ != ' ') p = behind_blanks(p, end);
  if (p == end || stops_[static_cast<unsigned char>(*p)]) return Field::kEnded;
  const char* stop = p;
  while (stop != end && stop - p < 20 && !stops_[static_cast<unsigned char>(*stop)]) ++stop;
  problem_ = "found " + in_quotes({p, static_cast<std::size_t>(stop - p)}) +
             " behind a closing quote; expected a separator (a quote inside quotes is written twice)";
  problem_line_ = line_ + newlines_;
  return Field::kFailed;
}

std::string_view RecordScanner::unescaped(std::string_view inside) {
  std::string& text = unescaped_.emplace_back();
  text.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text += inside[i];
    if (inside[i] == '"') ++i;
  }
  return text;
}

// Once all of the bad line is there, the line in which the record began is left behind: a quote that opens by mistake
// must not take the rows below with it.
RecordScanner::Found RecordScanner::fail_at(const char*& at, const char* p, const char* end, bool is_all) {
  if (!is_all && find_char(p, end, '\n') == nullptr) return Found::kUnfinished;
  const char* stop = find_char(at, end, '\n');
  const char* behind = stop == nullptr ? end : stop + 1;
  next_line_ += std::count(at, behind, '\n');
  at = behind;
  fail_line(name_, problem_line_, problem_);
}

}  // namespace fedstein
