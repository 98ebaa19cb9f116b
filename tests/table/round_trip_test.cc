// SPDX-License-Identifier: Apache-2.0
// Whoever reads a table by its schema, whole or as a stream, gets the numbers that understanding it gave, to the bit.
#include <rapidcheck/gtest.h>

#include "fedstein/table/table_rows.h"
#include "support/pieces.h"
#include "table/tables.h"

namespace fedstein {
namespace {

struct MadeTable {
  std::string text = {};
  std::string features = {};  // the same without its labels
  TableOptions options = {};
};

std::string in_field_quotes(const std::string& cell) {
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string number_cell(char decimal) {
  const auto digits = *rc::gen::inRange<std::int64_t>(-99'999'999'999, 99'999'999'999);
  std::string text = std::to_string(digits);
  if (const int places = *rc::gen::inRange(0, 4); places > 0)
    text += decimal + std::to_string(*rc::gen::inRange(0, 999));
  if (*rc::gen::inRange(0, 9) == 0) text += "e" + std::to_string(*rc::gen::inRange(-30, 20));
  return *rc::gen::inRange(0, 5) == 0 ? in_field_quotes(text) : text;
}

// Columns of numbers, far ones, codes and texts, some of whose cells lack.
MadeTable made_table() {
  MadeTable out;
  const char separator = *rc::gen::element(',', ';', '\t', '|');
  const char decimal = separator != ',' && *rc::gen::arbitrary<bool>() ? ',' : '.';
  out.options = {.separator = separator,
                 .decimal = decimal,
                 .header = *rc::gen::arbitrary<bool>(),
                 .missing = *rc::gen::element(MissingRule::kDrop, MissingRule::kImpute)};
  const int columns = *rc::gen::inRange(1, 6);
  const int rows = *rc::gen::inRange(4, 30);
  std::vector<int> kinds;
  std::string names;
  for (int k = 0; k < columns; ++k) {
    kinds.push_back(*rc::gen::inRange(0, 4));
    names += (k > 0 ? std::string(1, separator) : "") + "n" + std::to_string(k);
    if (kinds.back() == 2) out.options.categorical.push_back(Index{k});
  }
  if (*out.options.header) {
    out.text = names + separator + "y\n";
    out.features = names + "\n";
  }
  const std::vector<std::string> words{"red", "the \"blue\"", "a, b; c", "two\nlines", "gr\xc3\xbcn"};
  for (int i = 0; i < rows; ++i) {
    std::string row;
    for (int k = 0; k < columns; ++k) {
      const int kind = kinds[static_cast<std::size_t>(k)];
      if (k > 0) row += separator;
      if (i > 2 && *rc::gen::inRange(0, 8) == 0) {
        // Without a separator in it an empty cell would be an empty line.
        row += columns > 1 ? *rc::gen::element<std::string>("NA", "", "?") : "NA";
      } else if (kind == 0) {
        row += number_cell(decimal);
      } else if (kind == 1) {
        row += std::to_string(1'700'000'000 + *rc::gen::inRange(0, 9000));
      } else {
        const auto which = static_cast<std::size_t>(*rc::gen::inRange(0, 5));
        row += kind == 2 ? std::to_string(which) : in_field_quotes(words[which]);
      }
    }
    out.features += row + "\n";
    out.text += row + separator + (i % 2 == 0 ? "yes" : "no") + "\n";
  }
  return out;
}

RC_GTEST_PROP(TableRoundTrip, SchemaAndStreamGiveTheSameRows, ()) {
  const MadeTable made = made_table();
  UnderstoodTable table;
  try {
    table = understand(made.text, made.options);
  } catch (const DataError&) {
    RC_DISCARD("refused");  // an empty column, a number too large
  }
  const Dataset again = parse_table(made.text, "f", table.schema);
  RC_ASSERT(identical(again.x, table.rows.x));
  RC_ASSERT(again.y == table.rows.y);

  const std::string packed = in_pieces(made.features, 11);
  TableRows rows(ByteSource::over(packed, "f", kNoByteLimit), table.schema, {});
  Matrix row(1, table.rows.x.cols());
  Index at = 0;
  while (true) {
    try {
      if (!rows.next()) break;
    } catch (const DataError&) {
      RC_ASSERT(made.options.missing == MissingRule::kDrop);  // a row that lacks a value
      continue;
    }
    RC_ASSERT(at < table.rows.x.rows());
    rows.read(row.data());
    RC_ASSERT(identical(row, table.rows.x.row(at++)));
    RC_ASSERT(rows.unknown().empty());
  }
  RC_ASSERT(at == table.rows.x.rows());
}

}  // namespace
}  // namespace fedstein
