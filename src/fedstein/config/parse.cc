// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/parse.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fedstein/config/check_document.h"
#include "fedstein/config/check_names.h"
#include "fedstein/config/key_lookup.h"
#include "fedstein/config/own_version.h"
#include "fedstein/config/preset.h"
#include "fedstein/config/read_server_table.h"
#include "fedstein/config/resolve.h"
#include "fedstein/config/selection.h"
#include "fedstein/config/table_settings.h"
#include "fedstein/config/toml_text.h"

namespace fedstein {
namespace {

constexpr double kMostJobs = 1e6;

// Where the key of KEY=VALUE ends. Labels and names may hold an = themselves: behind them the first that ends a path.
std::size_t end_of_key(const std::string& text, const Document& document) {
  const std::size_t first = text.find('=');
  for (std::size_t end = first; end != std::string::npos; end = text.find('=', end + 1)) {
    if (find_target(document, text.substr(0, end))) return end;
  }
  return first;
}

std::vector<Override> read_changes(const ParseOptions& options, const Document& document, Mistakes& mistakes) {
  std::vector<Override> changes;
  for (const std::string& text : options.overrides) {
    const std::size_t equals = end_of_key(text, document);
    if (equals == std::string::npos || equals == 0) {
      mistakes.add(kSetOption, "", "'" + shown_text(text) + "' is no setting; write KEY=VALUE");
      continue;
    }
    const std::string key = text.substr(0, equals);
    const std::optional<Value> value = read_toml_value(text.substr(equals + 1));
    if (value) {
      changes.push_back({key, *value});
    } else {
      mistakes.add(kSetOption, key, "is " + shown_text(text.substr(equals + 1)) + "; allowed: a TOML value or a word");
    }
  }
  return changes;
}

void apply_changes(const std::vector<Override>& changes,
                   const ParseOptions& options,
                   Document& document,
                   Mistakes& mistakes) {
  if (options.quick && document.quick_line == 0) mistakes.add("has no table [quick]; a quick run needs one");
  std::vector<Override> all;
  if (options.quick) all = document.quick;
  apply_all(document, all);
  apply_all(document, changes);
  all.insert(all.end(), changes.begin(), changes.end());
  check_not_swept(document, all, mistakes);
}

void resolve_cases(const Document& document,
                   const Definitions& definitions,
                   const ParseOptions& options,
                   Plan& plan,
                   Mistakes& mistakes) {
  const double points = count_points(document);
  if (points > static_cast<double>(options.most_cases)) {
    mistakes.add("has more than " + std::to_string(options.most_cases) +
                 " cases, the most that are allowed; shorten the lists of [sweep] or of datasets");
    return;
  }
  Resolution resolution{options, definitions, mistakes};
  const Registry& registry = definitions.registry();
  double jobs = 0;
  bool all_known = std::all_of(document.algorithms.begin(), document.algorithms.end(), [&](const Section& section) {
    return method_of(section, registry) != nullptr;
  });
  for_each_point(document, [&](const Point& point) {
    std::optional<CasePlan> resolved = resolve_case(point, resolution);
    all_known = all_known && resolved;
    if (!resolved) return;
    if (resolved->algorithms.empty()) return check_has_methods(point, registry, mistakes);
    jobs += static_cast<double>(resolved->algorithms.size()) * static_cast<double>(plan.trials);
    plan.cases.push_back(std::move(*resolved));
  });
  // A case or method that could not be made out may well be the one that a key is for.
  if (all_known && options.refuse_idle_keys) resolution.effects.complain(mistakes);
  for (auto& [asked, table] : resolution.tables) plan.read_tables->put(asked.first, table);
  if (resolution.table_problem && mistakes.empty()) std::rethrow_exception(resolution.table_problem);
  if (jobs > kMostJobs) {
    mistakes.add("has more than 1000000 jobs (cases x methods x trials), the most that are allowed");
  }
}

void read_common(const Document& document, Plan& plan) {
  const TableView experiment(document, "experiment");
  plan.name = experiment.text("name");
  plan.title = experiment.text("title");
  plan.trials = experiment.integer("trials");
  plan.seed = static_cast<std::uint64_t>(experiment.integer("seed"));
  for (const Value& claim : experiment.list("claims")) plan.claims.push_back(*claim.text());
}

// Leaves the named part. The whole is looked at before, because a key that nothing takes is a mistake of the file, and
// one that the part alone does not take is none. Data that the part does not need may be missing.
void select_part(const ParseOptions& options, const Definitions& definitions, Document& document, Mistakes& mistakes) {
  ParseOptions how = options;
  how.check_data = false;
  Plan whole{.registry = options.registry};
  read_common(document, whole);
  resolve_cases(document, definitions, how, whole, mistakes);
  resolve_figures(document, whole, mistakes);
  select_cases(options.cases, document, mistakes);
  select_algorithms(options.methods, document, mistakes);
  mistakes.throw_if_any();
}

// Figures of the whole that the part has nothing for.
void drop_idle_figures(Document& document, const Plan& plan) {
  std::erase_if(document.figures, [&](const Section& figure) {
    Document alone;
    alone.figures = {figure};
    Mistakes objections("");
    resolve_figures(alone, plan, objections);
    return !objections.empty();
  });
}

// The document's tree, read once. `server`: where the table [server] goes; null: an experiment has none.
Plan read_plan(std::string_view text, const std::string& file, const ParseOptions& options, ServerPlan* server) {
  Mistakes mistakes(file);
  const Definitions definitions(*options.registry);
  std::optional<ValueTable> root = read_toml(text, mistakes);
  if (!root) mistakes.throw_if_any();
  if (server != nullptr) {
    *server = read_server_table(find(*root, "server"), mistakes);
    drop(*root, "server");
  }
  Document document = read_document(*root, mistakes);
  const std::vector<Override> changes = read_changes(options, document, mistakes);
  complete(document, options.preset, definitions.registry());
  if (options.own_version) make_own_version(document, mistakes);
  check_document(definitions, document, changes, mistakes);
  apply_changes(changes, options, document, mistakes);
  check_names(document, mistakes);
  const bool is_part = !options.cases.empty() || !options.methods.empty();
  if (is_part) select_part(options, definitions, document, mistakes);

  Plan plan{.registry = options.registry};
  read_common(document, plan);
  ParseOptions how = options;
  how.refuse_idle_keys = options.refuse_idle_keys && !is_part;
  resolve_cases(document, definitions, how, plan, mistakes);
  if (is_part) drop_idle_figures(document, plan);
  plan.figures = resolve_figures(document, plan, mistakes);
  check_unique_cases(plan, mistakes);
  mistakes.throw_if_any();
  write_back_tables(plan, document);
  plan.document = write_document(document);
  return plan;
}

}  // namespace

Plan parse_plan(std::string_view text, const std::string& file, const ParseOptions& options) {
  return read_plan(text, file, options, nullptr);
}

ServedPlan parse_served_plan(std::string_view text, const std::string& file, const ParseOptions& options) {
  ServedPlan out;
  out.plan = read_plan(text, file, options, &out.server);
  return out;
}

Plan load_plan(const std::string& path, const ParseOptions& options) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw BadConfiguration({{path, "", "cannot be read; give a TOML file"}});
  }
  // Pipes are welcome, so the size shows only while reading.
  constexpr std::size_t kMostBytes = 64 << 20;
  std::string text(1 << 16, '\0');
  std::size_t size = 0;
  while (stream.read(text.data() + size, static_cast<std::streamsize>(text.size() - size)), stream.gcount() > 0) {
    size += static_cast<std::size_t>(stream.gcount());
    if (size > kMostBytes) throw BadConfiguration({{path, "", "is longer than 64 MiB; give a TOML file"}});
    if (size == text.size()) text.resize(2 * text.size());
  }
  text.resize(size);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw BadConfiguration({{path, "", "is empty; an experiment begins with [experiment] and its name"}});
  }
  // A file for `fedstein serve` is an experiment as well; of its table [server] only the mistakes matter here.
  return parse_served_plan(text, path, options).plan;
}

}  // namespace fedstein
