// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fedstein/data/line_reader.h"
#include "fedstein/data/number.h"
#include "fedstein/data/row_buffer.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr std::string_view kBlanks = " \t";

// How a line falls into fields: by one character, or by runs of blanks.
class Fields {
 public:
  explicit Fields(char separator) : separator_(separator) {}

  bool by_blanks() const { return separator_ == ' '; }

  // Whether a field ends at `at`.
  bool ends(const char* at, const char* end) const {
    return at == end || *at == separator_ || (by_blanks() && *at == '\t');
  }
  const char* find_end(const char* at, const char* end) const {
    while (!ends(at, end)) ++at;
    return at;
  }
  // Moves to the first (`column` 0) or next field; false when the line has no more.
  bool enter(Index column, const char*& at, const char* end) const {
    if (by_blanks()) {
      while (at != end && (*at == ' ' || *at == '\t')) ++at;
      return at != end;
    }
    if (column == 0) return true;
    if (at == end) return false;
    ++at;
    return true;
  }
  Index count(std::string_view line) const {
    const char* at = line.data();
    const char* end = at + line.size();
    Index fields = 0;
    while (enter(fields, at, end)) {
      ++fields;
      at = find_end(at, end);
    }
    return fields;
  }

 private:
  char separator_;
};

std::string_view trimmed(std::string_view field) {
  const std::size_t first = field.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(kBlanks) - first + 1);
}

class TableReader {
 public:
  TableReader(ByteSource source, const TextOptions& options)
      : lines_(std::move(source)), options_(options), fields_(options.separator) {}

  Matrix read() {
    std::string_view line;
    if (options_.header) lines_.next(line);
    std::optional<RowBuffer> rows;
    while (lines_.next(line)) {
      if (!rows) rows.emplace(settle_columns(line));
      read_row(line, rows->add());
    }
    if (!rows) fail_file(lines_.name(), "there is no row; expected at least one");
    return std::move(*rows).take();
  }

 private:
  // The number of columns that are kept.
  Index settle_columns(std::string_view first_row) {
    const Index columns = options_.columns > 0 ? options_.columns : fields_.count(first_row);
    keep_.assign(static_cast<std::size_t>(columns), true);
    for (const Index ignored : options_.ignored_columns) {
      if (ignored >= columns) {
        lines_.fail("found " + std::to_string(columns) + " columns; expected at least " + std::to_string(ignored + 1) +
                    ", of which number " + std::to_string(ignored + 1) + " is to be ignored");
      }
      keep_[static_cast<std::size_t>(ignored)] = false;
    }
    const Index kept = std::count(keep_.begin(), keep_.end(), true);
    if (kept == 0) lines_.fail("all columns are to be ignored; expected at least one to read");
    return kept;
  }

  void read_row(std::string_view line, Real* out) const {
    const char* at = line.data();
    const char* end = at + line.size();
    const auto columns = static_cast<Index>(keep_.size());
    for (Index column = 0; column < columns; ++column) {
      if (!fields_.enter(column, at, end)) fail_ragged(line);
      if (!keep_[static_cast<std::size_t>(column)]) {
        at = fields_.find_end(at, end);
        continue;
      }
      double value = 0;
      const char* stop = read_plain_number(at, end, value);
      if (stop != nullptr && fields_.ends(stop, end)) {
        *out++ = static_cast<Real>(value);
      } else {
        stop = fields_.find_end(at, end);
        *out++ = read_field({at, stop}, column);
      }
      at = stop;
    }
    if (fields_.enter(columns, at, end)) fail_ragged(line);
  }

  Real read_field(std::string_view field, Index column) const {
    std::string problem;
    const Real value = parse_number(trimmed(field), problem);
    if (!problem.empty()) lines_.fail("column " + std::to_string(column + 1) + ": " + problem);
    return value;
  }

  [[noreturn]] void fail_ragged(std::string_view line) const {
    lines_.fail("found " + std::to_string(fields_.count(line)) + " columns in " + in_quotes(line) + "; expected " +
                std::to_string(keep_.size()));
  }

  LineReader lines_;
  const TextOptions& options_;
  Fields fields_;
  std::vector<bool> keep_;  // per column of the file
};

void check_options(const char* function, const TextOptions& options) {
  check(std::string_view("\r\n+-.0123456789eE").find(options.separator) == std::string_view::npos,
        function,
        "separator is " + in_quotes({&options.separator, 1}) + "; it must not be part of a number or a line end");
  check(options.columns >= 0,
        function,
        "columns is " + std::to_string(options.columns) + "; it must be 0 (as the first row) or more");
  for (const Index column : options.ignored_columns) {
    check(column >= 0 && (options.columns == 0 || column < options.columns),
          function,
          "ignored_columns holds " + std::to_string(column) + "; it must be a column of the file, from 0");
  }
}

}  // namespace

Matrix read_text(const std::string& path, const TextOptions& options) {
  check_options("read_text", options);
  return TableReader(ByteSource::open(path, options.byte_limit), options).read();
}

Matrix parse_text(std::string_view bytes, const std::string& name, const TextOptions& options) {
  check_options("parse_text", options);
  return TableReader(ByteSource::over(bytes, name, options.byte_limit), options).read();
}

}  // namespace fedstein
