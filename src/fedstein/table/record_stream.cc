// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/record_stream.h"

#include "fedstein/table/record_end.h"
#include "fedstein/table/table_text.h"

namespace fedstein {
namespace {

// A quote that is never closed must not swallow a stream.
constexpr std::size_t kLongestRecord = std::size_t{1} << 20;

// To be sure of a byte order mark.
constexpr std::size_t kFirstBytes = 4;

}  // namespace

void RecordStream::begin(char separator) {
  separator_ = separator;
  scanner_.emplace(source_.name(), separator);
}

// One more block, or the end.
void RecordStream::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  begin_ = 0;
  do {
    const std::string_view block = source_.next();
    is_all_ = block.empty();
    buffer_ += block;
  } while (!is_all_ && !has_begun_ && (buffer_.size() < kFirstBytes || may_begin_otherwise(buffer_)));
  if (has_begun_) return;
  check_beginning(buffer_, name());
  if (buffer_.starts_with(kByteOrderMark)) buffer_.erase(0, kByteOrderMark.size());
  has_begun_ = true;
}

// More bytes until the record at at_ can end, the source does, or the record is too long.
void RecordStream::fill_until_end() {
  RecordEnd record_end(separator_);
  bool is_there = record_end.is_in(std::string_view(buffer_).substr(at_));
  do {
    const std::size_t seen = buffer_.size() - at_;
    fill();
    is_there = is_there || (buffer_.size() > seen && record_end.is_in(std::string_view(buffer_).substr(seen)));
  } while (!is_there && !is_all_ && buffer_.size() <= kLongestRecord);
}

bool RecordStream::next() {
  while (true) {
    begin_ = at_;
    first_line_ = scanner_->next_line();
    const char* at = buffer_.data() + at_;
    const char* end = buffer_.data() + buffer_.size();
    RecordScanner::Found found = RecordScanner::Found::kUnfinished;
    try {
      if (has_begun_) found = scanner_->scan(at, end, is_all_);
    } catch (const DataError&) {
      at_ = static_cast<std::size_t>(at - buffer_.data());
      throw;
    }
    at_ = static_cast<std::size_t>(at - buffer_.data());
    if (found == RecordScanner::Found::kEnd) return false;
    if (found == RecordScanner::Found::kRecord) {
      // Not what was passed over before it: how much that is depends on how the bytes came.
      check_is_text({scanner_->begin(), at}, name(), line());
      return true;
    }
    if (buffer_.size() - at_ > kLongestRecord) leave_long_record();
    fill_until_end();
  }
}

// Behind the line on which it began.
void RecordStream::leave_long_record() {
  const Index line = scanner_->next_line();
  std::size_t stop = buffer_.find('\n', at_);
  while (stop == std::string::npos && !is_all_) {
    at_ = buffer_.size();
    fill();
    stop = buffer_.find('\n');
  }
  at_ = stop == std::string::npos ? buffer_.size() : stop + 1;
  scanner_->set_next_line(line + 1);
  fail_line(
      name(), line, "the row has more than " + std::to_string(kLongestRecord) + " bytes; is a quote never closed?");
}

bool RecordStream::scan_again(char separator) {
  RecordScanner other(name(), separator);
  other.set_next_line(first_line_);
  const char* at = buffer_.data() + begin_;
  const char* end = buffer_.data() + buffer_.size();
  try {
    if (other.scan(at, end, is_all_) != RecordScanner::Found::kRecord) return false;
    // The record may be longer than the one that next() has checked.
    check_is_text({other.begin(), at}, name(), other.line());
  } catch (const DataError&) {
    return false;
  }
  begin(separator);
  scanner_->set_next_line(first_line_);
  at = buffer_.data() + begin_;
  scanner_->scan(at, end, is_all_);
  at_ = static_cast<std::size_t>(at - buffer_.data());
  return true;
}

bool RecordStream::has_record_at_hand() const {
  const char* at = buffer_.data() + at_;
  const char* end = buffer_.data() + buffer_.size();
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  const std::size_t stop = rest.find('\n');
  if (stop == std::string_view::npos && !is_all_) return false;
  // Most lines are a row: neither empty nor a comment, and no quote in them that may reach further.
  const std::string_view line = rest.substr(0, stop);
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first != std::string_view::npos && line[first] != '#' && line.find('"') == std::string_view::npos) return true;
  RecordScanner other(name(), separator_);
  try {
    return other.scan(at, end, is_all_) == RecordScanner::Found::kRecord;
  } catch (const DataError&) {
    return true;  // next() throws it at once
  }
}

}  // namespace fedstein
