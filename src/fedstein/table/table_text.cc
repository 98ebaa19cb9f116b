// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/table_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "fedstein/table/cell.h"

namespace fedstein {
namespace {

// Lines of a LIBSVM file that are looked at: one may be a row of a table by chance.
constexpr int kLinesOfLibsvm = 2;

constexpr std::string_view kMatlabBeginning = "MATLAB 5.0";

// What people take for a table, and is one, but no text.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOtherFiles{{
    {"PK\x03\x04", "a zip archive or a spreadsheet"},
    {"\xd0\xcf\x11\xe0", "a spreadsheet of an old kind"},
    {"PAR1", "a Parquet file"},
    {"ARROW1", "an Arrow file"},
    {"\x89HDF", "an HDF5 file"},
    {"SQLite format 3", "a database"},
    {"%PDF-", "a PDF document"},
    {kMatlabBeginning, "a MATLAB file"},
}};

bool is_digit_of_index(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// A number, then index:value, index:value with an index that grows.
bool is_line_of_libsvm(std::string_view line) {
  double number = 0;
  if (read_cell(take_word(line), '.', number) != CellKind::kNumber) return false;
  double last = -1;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || !std::all_of(word.begin(), word.begin() + colon, is_digit_of_index))
      return false;
    if (read_cell(word.substr(0, colon), '.', number) != CellKind::kNumber || number <= last) return false;
    last = number;
    if (read_cell(word.substr(colon + 1), '.', number) != CellKind::kNumber) return false;
  }
  return last >= 0;
}

bool looks_like_libsvm(std::string_view text) {
  int count = 0;
  while (count < kLinesOfLibsvm && !text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!is_line_of_libsvm(line)) return false;
    ++count;
  }
  return count == kLinesOfLibsvm;
}

// Bytes of the UTF-8 character at `at`; 0 when there is none. Overlong forms, surrogates and what lies past U+10FFFF
// are none.
std::size_t utf8_length(const unsigned char* at, std::size_t left) {
  const unsigned char lead = at[0];
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length == 0 || length > left) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at[i] & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && at[1] < 0xa0) || (lead == 0xf0 && at[1] < 0x90);
  const bool outside = (lead == 0xed && at[1] > 0x9f) || (lead == 0xf4 && at[1] > 0x8f);
  return overlong || outside ? 0 : length;
}

// The first byte that is no text; `bytes`' size when all are.
std::size_t first_bad_byte(std::string_view bytes) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  constexpr std::uint64_t kLow = 0x0101010101010101U;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (i + 8 <= bytes.size()) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + i, 8);
      // Plain ASCII without a NUL, eight at a time.
      if (((word | (word - kLow)) & kHigh) == 0) {
        i += 8;
        continue;
      }
    }
    if (data[i] == 0) return i;
    const std::size_t length = data[i] < 0x80 ? 1 : utf8_length(data + i, bytes.size() - i);
    if (length == 0) return i;
    i += length;
  }
  return bytes.size();
}

}  // namespace

void check_is_text(std::string_view bytes, const std::string& name, Index line) {
  const std::size_t bad = first_bad_byte(bytes);
  if (bad == bytes.size()) return;
  const auto before = bytes.substr(0, bad);
  const Index at = line + static_cast<Index>(std::count(before.begin(), before.end(), '\n'));
  if (bytes[bad] == '\0') fail_line(name, at, "found a NUL byte; expected a table as UTF-8 text");
  fail_line(name, at, "found " + in_quotes(bytes.substr(bad, 1)) + ", which is no UTF-8; save the table as UTF-8 text");
}

void check_beginning(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    fail_file(name, "this is UTF-16 text; save the table as UTF-8");
  }
  for (const auto& [beginning, what] : kOtherFiles) {
    if (bytes.starts_with(beginning)) {
      fail_file(name,
                "this is " + std::string(what) +
                    (beginning == kMatlabBeginning ? " and no text; format = \"matlab\" in [data] reads it"
                                                   : "; save the table as CSV, which is text"));
    }
  }
}

bool may_begin_otherwise(std::string_view bytes) {
  return std::any_of(kOtherFiles.begin(), kOtherFiles.end(), [&](const auto& other) {
    return bytes.size() < other.first.size() && other.first.starts_with(bytes);
  });
}

TableText::TableText(ByteSource source) : name_(source.name()) {
  bytes_ = source.rest();
  check_beginning(bytes_, name_);
  if (std::string_view(bytes_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  check_is_text(text(), name_, 1);
  if (looks_like_libsvm(text())) {
    fail_file(name_,
              "the lines are of the form LABEL INDEX:VALUE INDEX:VALUE, as in a LIBSVM file; format = \"libsvm\" and "
              "features = N in [data] read it");
  }
}

}  // namespace fedstein
