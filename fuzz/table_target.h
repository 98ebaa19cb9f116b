// SPDX-License-Identifier: Apache-2.0
// What the fuzzers do with their bytes as tables. A table is refused with DataError, or it is understood: then its rows
// are sound, its schema gives the same rows again, and so does a stream of it, in whatever pieces it comes.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/support/pieces.h"
#include "fedstein/data/error.h"
#include "fedstein/numeric/check.h"
#include "fedstein/table/table_rows.h"
#include "fedstein/table/understand.h"
#include "shows.h"

namespace fedstein {

inline void demand_of_table(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// With the file's name in front, an end, and nothing that moves a terminal's cursor.
inline void demand_table_message(std::string_view message) {
  demand_of_table(message.starts_with("input:") && message.size() < 100'000, "the message has no name or no end");
  demand_of_table(shows(message, /*may_have_lines=*/true), "the message does not print");
}

// The first four bytes say what the user has told.
inline TableOptions fuzzed_table_options(std::string_view& bytes) {
  std::array<unsigned, 4> told{};
  for (std::size_t i = 0; i < told.size() && !bytes.empty(); ++i) {
    told[i] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
  }
  TableOptions out;
  constexpr std::string_view kSeparators = ",;\t| ";
  if (told[0] % 8 < kSeparators.size()) out.separator = kSeparators[told[0] % 8];
  const bool may_be_comma = out.separator != ',';
  if (told[0] / 8 % 4 == 1) out.decimal = '.';
  if (told[0] / 8 % 4 == 2 && may_be_comma) out.decimal = ',';
  if (told[1] % 4 > 1) out.header = told[1] % 4 == 2;
  out.missing = std::array{MissingRule::kRefuse, MissingRule::kDrop, MissingRule::kImpute}[told[1] / 4 % 3];
  constexpr std::array kKinds{
      LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kRegression, LabelKind::kCounts, LabelKind::kDensity};
  if (told[2] % 8 < kKinds.size()) out.labels = kKinds[told[2] % 8];
  if (told[2] / 8 % 4 == 1) out.classes = {"0", "1"};
  if (told[2] / 8 % 4 == 2) out.classes = {"yes", "NA", "1"};
  if (told[2] / 32 == 1) out.label = std::string("a");
  if (told[2] / 32 == 2) out.label = Index{0};
  if (told[3] % 4 == 1) out.group = Index{1};
  if (told[3] / 4 % 4 == 1) out.ignore = {Index{2}};
  if (told[3] / 16 % 4 == 1) out.categorical = {Index{0}, Index{3}};
  return out;
}

inline bool same_numbers(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

inline void demand_sound_table(const UnderstoodTable& table) {
  validate(table.rows);
  const Index rows = table.rows.x.rows();
  const Index features = feature_count(table.schema);
  demand_of_table(table.rows.x.cols() == features, "a row has other features than the schema says");
  demand_of_table(static_cast<Index>(feature_names(table.schema).size()) == features, "a feature has no name");
  demand_of_table(static_cast<Index>(table.lines.size()) == rows, "a row has no line");
  demand_of_table(rows + table.dropped == table.records, "a row was lost");
  for (Index i = 1; i < rows; ++i) {
    demand_of_table(table.lines[static_cast<std::size_t>(i - 1)] < table.lines[static_cast<std::size_t>(i)],
                    "lines are out of order");
  }
}

inline void demand_same_rows(const UnderstoodTable& table, const Dataset& again) {
  demand_of_table(same_numbers(table.rows.x, again.x), "the schema gives other features");
  demand_of_table(table.rows.y.size() == again.y.size() && table.rows.y == again.y, "the schema gives other labels");
  demand_of_table(table.rows.group == again.group, "the schema gives other groups");
}

inline void fuzz_table(std::string_view bytes) {
  const TableOptions options = fuzzed_table_options(bytes);
  if (bytes.empty()) return;
  const std::string text(bytes);
  bool is_refused = true;
  try {
    const UnderstoodTable table = understand_text(text, "input", options);
    is_refused = false;
    demand_sound_table(table);
    demand_same_rows(table, parse_table(text, "input", table.schema));
    demand_of_table(describe_text(text, "input", options).schema == table.schema, "described otherwise");
  } catch (const DataError& error) {
    demand_of_table(is_refused, "what was understood is refused by its own schema");
    demand_table_message(error.what());
    demand_of_table(!describe_text(text, "input", options).problems.empty(), "described without the problem");
  }
}

// Everything that a stream gives, a row or a sentence a line, in a form that is easy to compare.
inline std::vector<std::string> stream_of(ByteSource source, const TableSchema& schema) {
  std::vector<std::string> out;
  std::vector<Real> row(static_cast<std::size_t>(feature_count(schema)));
  try {
    TableRows rows(std::move(source), schema, {});
    while (true) {
      const bool is_at_hand = rows.has_row_at_hand();
      try {
        if (!rows.next()) {
          demand_of_table(!is_at_hand, "a row was at hand that there is not");
          break;
        }
        rows.read(row.data());
        std::string text = std::to_string(rows.line()) + ":";
        for (const Real value : row) {
          demand_of_table(std::isfinite(value), "a number that is not finite was accepted");
          text += " " + to_text(static_cast<double>(value));
        }
        for (const std::string& column : rows.unknown()) text += " unknown " + column;
        out.push_back(text);
      } catch (const DataError& error) {
        demand_table_message(error.what());
        out.emplace_back(error.what());
      }
      demand_of_table(out.size() < 100'000, "a stream has no end");
    }
  } catch (const DataError& error) {
    demand_table_message(error.what());
    out.emplace_back(error.what());
  }
  return out;
}

// What is packed itself is unpacked once, and in_pieces() would pack it again.
inline bool is_packed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("BZh");
}

// A table, and behind a NUL, or again it, rows to predict for, in one piece and in pieces of odd sizes.
inline void fuzz_table_rows(std::string_view bytes) {
  if (bytes.size() < 6) return;
  const std::size_t piece = 1 + static_cast<unsigned char>(bytes.front()) % 17;
  bytes.remove_prefix(1);
  const TableOptions options = fuzzed_table_options(bytes);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string first(bytes.substr(0, end));
  const std::string rest(bytes.substr(std::min(end + 1, bytes.size())));
  if (first.empty()) return;
  TableSchema schema;
  UnderstoodTable table;
  try {
    table = understand_text(first, "input", options);
  } catch (const DataError&) {
    return;
  }
  const std::string& streamed = rest.empty() ? first : rest;
  if (is_packed(streamed)) return;
  const auto whole = stream_of(ByteSource::over(streamed, "input", kNoByteLimit), table.schema);
  const std::string packed = in_pieces(streamed, piece);
  const auto pieces = stream_of(ByteSource::over(packed, "input", kNoByteLimit), table.schema);
  demand_of_table(whole == pieces, "a stream in pieces gives other rows");
  if (!rest.empty() || options.missing == MissingRule::kDrop || table.dropped > 0) return;
  demand_of_table(static_cast<Index>(whole.size()) == table.rows.x.rows(), "a stream has other rows");
}

}  // namespace fedstein
