// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/text.h"

#include <optional>
#include <utility>

#include "fedstein/data/row_buffer.h"
#include "fedstein/data/text_rows.h"

namespace fedstein {
namespace {

Matrix table_of(TextRows rows) {
  std::optional<RowBuffer> table;
  while (rows.next()) {
    if (!table) table.emplace(rows.columns());
    rows.read(table->add());
  }
  if (!table) fail_file(rows.name(), "there is no row; expected at least one");
  return std::move(*table).take();
}

}  // namespace

Matrix read_text(const std::string& path, const TextOptions& options) {
  return table_of(TextRows(ByteSource::open(path, options.byte_limit), options));
}

Matrix parse_text(std::string_view bytes, const std::string& name, const TextOptions& options) {
  return table_of(TextRows(ByteSource::over(bytes, name, options.byte_limit), options));
}

}  // namespace fedstein
