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
  std::error_code ignored;
  const bool there = std::filesystem::is_regular_file(facts.plan.name, ignored);
  if (!resolution.options.read_tables || !there) {
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
