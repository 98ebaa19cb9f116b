// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/understand.h"

#include <algorithm>
#include <utility>

#include "fedstein/table/make_rows.h"
#include "fedstein/table/names.h"
#include "fedstein/table/understanding.h"

namespace fedstein {
namespace {

// A message that fits a screen; a table can have thousands of columns.
constexpr std::size_t kMostProblems = 20;

[[noreturn]] void fail_problems(const std::string& name, const std::vector<std::string>& problems) {
  if (problems.size() == 1) fail_file(name, problems.front());
  std::string text = std::to_string(problems.size()) + " columns cannot be used as they are:";
  for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) text += "\n  " + problems[i];
  if (problems.size() > kMostProblems) text += "\n  and " + std::to_string(problems.size() - kMostProblems) + " more";
  fail_file(name, text);
}

UnderstoodTable parts_of(const Understanding& understanding) {
  UnderstoodTable out;
  out.schema = understanding.schema();
  out.columns = understanding.summaries();
  out.records = understanding.rows();
  out.dropped = understanding.dropped();
  out.remarks = understanding.findings().remarks;
  return out;
}

void add_rows(UnderstoodTable& out, const TableText& table) {
  check_schema(out.schema);
  MadeRows made = make_rows(table, out.schema);
  out.rows = std::move(made.rows);
  out.lines = std::move(made.lines);
  out.dropped = made.dropped;
}

UnderstoodTable understand(ByteSource source, const TableOptions& options) {
  const TableText table(std::move(source));
  Understanding understanding(table, options);
  understanding.study();
  understanding.settle();
  if (!understanding.findings().problems.empty()) fail_problems(table.name(), understanding.findings().problems);
  UnderstoodTable out = parts_of(understanding);
  add_rows(out, table);
  return out;
}

UnderstoodTable describe(ByteSource source, const TableOptions& options) {
  UnderstoodTable out;
  std::vector<std::string> refusals;
  try {
    const TableText table(std::move(source));
    Understanding understanding(table, options);
    try {
      understanding.study();
      understanding.settle();
    } catch (const DataError& error) {
      refusals.emplace_back(error.what());
    }
    out = parts_of(understanding);
    out.problems = understanding.findings().problems;
    if (refusals.empty() && out.problems.empty()) add_rows(out, table);
  } catch (const DataError& error) {
    refusals.emplace_back(error.what());
  }
  out.problems.insert(out.problems.begin(), refusals.begin(), refusals.end());
  return out;
}

}  // namespace

UnderstoodTable understand_table(const std::string& path, const TableOptions& options) {
  return understand(ByteSource::open(path, kTableLimit), options);
}

UnderstoodTable understand_text(std::string_view bytes, const std::string& name, const TableOptions& options) {
  return understand(ByteSource::over(bytes, name, kTableLimit), options);
}

UnderstoodTable describe_table(const std::string& path, const TableOptions& options) {
  return describe(ByteSource::open(path, kTableLimit), options);
}

UnderstoodTable describe_text(std::string_view bytes, const std::string& name, const TableOptions& options) {
  return describe(ByteSource::over(bytes, name, kTableLimit), options);
}

std::optional<char> separator_named(std::string_view text) {
  if (text == "\\t" || text == "tab") return '\t';
  if (text == "blank" || text == "space") return ' ';
  if (text.size() == 1 && std::string_view(",;\t| ").find(text) != std::string_view::npos) return text.front();
  return {};
}

Dataset read_table(const std::string& path, const TableSchema& schema) {
  check_schema(schema);
  return make_rows(TableText(ByteSource::open(path, kTableLimit)), schema).rows;
}

Dataset parse_table(std::string_view bytes, const std::string& name, const TableSchema& schema) {
  check_schema(schema);
  return make_rows(TableText(ByteSource::over(bytes, name, kTableLimit)), schema).rows;
}

}  // namespace fedstein
