// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fedstein/config/resolve_data.h"
#include "fedstein/config/table_settings.h"
#include "fedstein/data/error.h"

namespace fedstein {
namespace {

// A model that can learn one kind of labels only says what the labels are.
std::optional<LabelKind> kind_for_model(const Point& point, const Resolution& resolution) {
  const TableView model(point.document, "model", resolution.definitions);
  const Value* type = model.given("type");
  const ModelType* named = type == nullptr ? nullptr : resolution.definitions.registry().find_model_type(*type->text());
  if (named == nullptr || named->labels.size() != 1 || named->is_toy()) return {};
  const LabelKind only = named->labels.front();
  return only == LabelKind::kBinary || only == LabelKind::kMulticlass ? std::nullopt : std::optional(only);
}

// Without its columns a federation's table can be one of numbers only, whose last column is the label, as
// [server] features says it: what else [data] says of columns needs them.
bool is_settled_without_columns(const TableView& data, Mistakes& mistakes) {
  const std::size_t before = mistakes.size();
  for (const char* key : {"label", "group", "ignore", "categorical", "classes", "decimal", "missing"}) {
    const Value* given = data.given(key);
    if (given == nullptr) continue;
    mistakes.add(given->line,
                 std::string("data.") + key,
                 "is given without data.columns; a networked federation's server reads no file, so that [data] has to "
                 "say what the columns are: `fedstein data describe FILE` at an agent prints the table to paste");
    break;
  }
  return mistakes.size() == before;
}

void settle(const TableSchema& schema, DatasetFacts& facts) {
  facts.plan.table = schema;
  facts.plan.file.labels = schema.labels;
  facts.plan.file.layout = {};  // the schema says it
  facts.labels = schema.labels;
  facts.features = feature_count(schema);
  facts.classes = static_cast<Index>(schema.classes.size());
  facts.has_groups = !schema.group.empty();
}

std::shared_ptr<const UnderstoodTable> look_at(const std::string& path,
                                               const TableOptions& options,
                                               Resolution& resolution) {
  const auto key = std::pair(path, options);
  if (const auto found = resolution.tables.find(key); found != resolution.tables.end()) return found->second;
  try {
    auto table = std::make_shared<const UnderstoodTable>(understand_table(path, options));
    resolution.tables.emplace(key, table);
    return table;
  } catch (const DataError&) {
    if (!resolution.table_problem) resolution.table_problem = std::current_exception();
    return nullptr;
  }
}

}  // namespace

bool is_table(const OwnFile& file) {
  return file.layout.format == FileFormat::kText && file.layout.labels.empty();
}

bool resolve_table(const Point& point, DatasetFacts& facts, Resolution& resolution) {
  const TableView data(point.document, "data");
  const std::size_t before = resolution.mistakes.size();
  TableOptions options = table_options(data, resolution.mistakes);
  if (!options.labels) options.labels = kind_for_model(point, resolution);
  const std::optional<TableSchema> settled = settled_schema(data, options, resolution.mistakes);
  if (resolution.mistakes.size() > before) return false;
  if (settled) {
    settle(*settled, facts);
    return true;
  }
  if (resolution.options.networked && !is_settled_without_columns(data, resolution.mistakes)) return false;
  std::error_code ignored;
  const bool is_read = resolution.options.read_tables && !resolution.options.networked &&
                       std::filesystem::is_regular_file(facts.plan.name, ignored);
  if (!is_read) {
    if (options.labels) facts.plan.file.labels = facts.labels = *options.labels;
    facts.classes = facts.labels == LabelKind::kBinary ? 2 : static_cast<Index>(options.classes.size());
    facts.has_groups = options.group.has_value();
    return true;
  }
  const std::shared_ptr<const UnderstoodTable> table = look_at(facts.plan.name, options, resolution);
  if (!table) return false;
  settle(table->schema, facts);
  const Index rows = table->rows.x.rows();
  const double tested = facts.plan.test_file.empty() ? facts.plan.test_fraction : 0;
  facts.train_rows = rows - std::lround(tested * static_cast<double>(rows));
  return true;
}

}  // namespace fedstein
