// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/line_reader.h"

namespace fedstein {
namespace {

// A million columns fit; a file that never ends its line does not.
constexpr std::size_t kLongestLine = std::size_t{1} << 24;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

bool LineReader::next(std::string_view& line) {
  if (!next_raw(line)) return false;
  if (!is_blank(line)) return true;
  const Index first_empty = number_;
  while (next_raw(line)) {
    if (!is_blank(line)) fail_line(name(), first_empty, "found an empty line before the last row; expected a row");
  }
  return false;
}

bool LineReader::next_raw(std::string_view& line) {
  joined_.clear();
  while (true) {
    if (block_.empty()) block_ = source_.next();
    const bool at_end = block_.empty();
    if (at_end && joined_.empty()) return false;
    const std::size_t stop = block_.find('\n');
    const std::string_view piece = block_.substr(0, stop);
    const bool complete = at_end || stop != std::string_view::npos;
    const bool whole = joined_.empty() && complete;
    if (joined_.size() + piece.size() > kLongestLine) {
      fail_line(name(), number_ + 1, "the line has more than " + std::to_string(kLongestLine) + " bytes");
    }
    if (!whole) joined_ += piece;
    block_.remove_prefix(complete && !at_end ? stop + 1 : piece.size());
    if (!complete) continue;
    line = whole ? piece : std::string_view(joined_);
    break;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (++number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  return true;
}

}  // namespace fedstein
