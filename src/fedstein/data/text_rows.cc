// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/text_rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fedstein/data/number.h"
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

bool begins_like_a_name(std::string_view field) {
  const char first = field.empty() ? '0' : field.front();
  return first == '"' || first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

std::string counted_columns(Index count) {
  return std::to_string(count) + (count == 1 ? " column" : " columns");
}

// As people write that there is no number.
bool is_missing_mark(std::string_view word) {
  constexpr std::array<std::string_view, 6> kMarks = {"nan", "na", "n/a", "null", "none", "?"};
  std::string small(word);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(kMarks.begin(), kMarks.end(), small) != kMarks.end();
}

struct Mark {
  char separator;
  const char* advice;
};

// Where a line is one column by its separator, and several by another one; else nothing.
std::string separator_advice(std::string_view line, char separator) {
  if (Fields(separator).count(line) > 1) return "";
  constexpr std::array<Mark, 5> kMarks = {Mark{'\t', "tabs: separator = \"\\t\""},
                                          Mark{';', "semicolons: separator = \";\""},
                                          Mark{'|', "bars: separator = \"|\""},
                                          Mark{',', "commas: separator = \",\""},
                                          Mark{' ', "blanks: separator = \" \""}};
  for (const Mark& mark : kMarks) {
    if (mark.separator == separator || Fields(mark.separator).count(line) < 2) continue;
    return std::string("; the columns seem to be separated by ") + mark.advice;
  }
  return "";
}

void check_options(const TextOptions& options) {
  constexpr const char* kWho = "TextOptions";
  check_argument(
      std::string_view("\r\n+-.0123456789eE").find(options.separator) == std::string_view::npos,
      kWho,
      "separator is " + in_quotes({&options.separator, 1}) + "; it must not be part of a number or a line end");
  check_argument(options.columns >= 0,
                 kWho,
                 "columns is " + std::to_string(options.columns) + "; it must be 0 (as the first row) or more");
  for (const Index column : options.ignored_columns) {
    check_argument(column >= 0 && (options.columns == 0 || column < options.columns),
                   kWho,
                   "ignored_columns holds " + std::to_string(column) + "; it must be a column of the file, from 0");
  }
}

const TextOptions& checked(const TextOptions& options) {
  check_options(options);
  return options;
}

}  // namespace

TextRows::TextRows(ByteSource source, const TextOptions& options, Index bare)
    : lines_(std::move(source)), options_(checked(options)), bare_(bare) {}

bool TextRows::next() {
  const bool first = !std::exchange(begun_, true);
  if (first && options_.header) lines_.next(row_);
  if (!lines_.next(row_)) return false;
  if (first) settle_columns();
  return true;
}

void TextRows::settle_columns() {
  const Index columns = options_.columns > 0 ? options_.columns : Fields(options_.separator).count(row_);
  if (columns == bare_) options_.ignored_columns.clear();
  keep_.assign(static_cast<std::size_t>(columns), true);
  for (const Index ignored : options_.ignored_columns) {
    if (ignored >= columns) {
      lines_.fail("found " + counted_columns(columns) + "; expected at least " + std::to_string(ignored + 1) +
                  ", of which column " + std::to_string(ignored) + " (from 0) is to be ignored" +
                  separator_advice(row_, options_.separator));
    }
    keep_[static_cast<std::size_t>(ignored)] = false;
  }
  kept_ = std::count(keep_.begin(), keep_.end(), true);
  if (kept_ == 0) lines_.fail("all columns are to be ignored; expected at least one to read");
}

void TextRows::read(Real* out) const {
  const Fields fields(options_.separator);
  const char* at = row_.data();
  const char* end = at + row_.size();
  const auto columns = static_cast<Index>(keep_.size());
  for (Index column = 0; column < columns; ++column) {
    if (!fields.enter(column, at, end)) fail_ragged();
    if (!keep_[static_cast<std::size_t>(column)]) {
      at = fields.find_end(at, end);
      continue;
    }
    double value = 0;
    const char* stop = read_plain_number(at, end, value);
    if (stop != nullptr && fields.ends(stop, end)) {
      *out++ = static_cast<Real>(value);
    } else {
      stop = fields.find_end(at, end);
      *out++ = read_field({at, stop}, column);
    }
    at = stop;
  }
  if (fields.enter(columns, at, end)) fail_ragged();
}

Real TextRows::read_field(std::string_view field, Index column) const {
  std::string problem;
  const Real value = parse_number(trimmed(field), problem);
  if (problem.empty()) return value;
  const std::string_view word = trimmed(field);
  std::string advice = separator_advice(row_, options_.separator);
  if (is_missing_mark(word)) {
    advice =
        "; it stands for a missing value, and a table of numbers alone has none: leave such rows out, or fill them";
  } else if (advice.empty() && lines_.number() == 1 && !options_.header && begins_like_a_name(word)) {
    advice = "; a first line of names is skipped with `header`";
  }
  lines_.fail("column " + std::to_string(column) + " (from 0): " + problem + advice);
}

void TextRows::fail_ragged() const {
  lines_.fail("found " + counted_columns(Fields(options_.separator).count(row_)) + " in " + in_quotes(row_) +
              "; expected " + std::to_string(keep_.size()));
}

}  // namespace fedstein
