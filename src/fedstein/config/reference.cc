// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/reference.h"

#include <cctype>

#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"
#include "fedstein/config/paper_defaults.h"
#include "fedstein/config/preset.h"
#include "fedstein/config/server_plan.h"

namespace fedstein {
namespace {

constexpr const char* kOpening =
    "# Every key of a configuration\n"
    "\n"
    "`fedstein schema --markdown` writes this page from the definitions by which configurations are checked, and a "
    "test\n"
    "compares the two. `fedstein schema` writes a JSON schema for editors. `fedstein run FILE --dry-run` shows all "
    "values\n"
    "of a file.\n"
    "\n"
    "A value is taken from the first of these places that has one:\n"
    "\n"
    "1. `--set` on the command line;\n"
    "2. the file; a method's own table comes before `[hyperparameters]`;\n"
    "3. with `preset = \"paper\"`, the paper's values (at the end of this page);\n"
    "4. the default.\n"
    "\n"
    "The defaults suit most data. A file with only `name`, `dataset` and `agents` runs `c-dsvgd` with all agents in "
    "every\n"
    "round, standardised features and a prior that suits them. Some defaults depend on the model:\n"
    "\n"
    "- methods whose default start is `prior` start near zero if data and model allow it;\n"
    "- on networks, methods that use AdaGrad take `learning_rate = 0.001` and `epsilon = 1e-06`;\n"
    "- on networks, Langevin methods take `a0 = 0.0001`;\n"
    "- on networks for classes, point methods take `step_rule = \"plain\"` and `learning_rate = 0.1`.\n"
    "\n"
    "Positions are counted in one way, in keys, options and messages alike. Columns, agents and classes are counted "
    "from "
    "0.\n"
    "Lines of a file, rows, rounds, trials and the items of a list are counted from 1.\n";

// A test parses it.
constexpr const char* kExample =
    "\n## An example with most tables\n"
    "\n"
    "```toml\n"
    "[experiment]\n"
    "name = \"patients\"\n"
    "dataset = \"patients.csv\"          # a file of your own: age, pressure, ill (0 or 1)\n"
    "agents = 4\n"
    "trials = 5\n"
    "\n"
    "[data]\n"
    "header = true\n"
    "labels_from = [0, 1]\n"
    "labels_to = [-1, 1]\n"
    "\n"
    "[model]\n"
    "type = \"logistic-regression\"\n"
    "\n"
    "[federation]\n"
    "rounds = 50\n"
    "\n"
    "[hyperparameters]                 # of every method that has them\n"
    "local_steps = 50\n"
    "\n"
    "[[algorithm]]\n"
    "type = \"c-dsvgd\"\n"
    "\n"
    "[[algorithm]]\n"
    "type = \"c-dsvgd\"\n"
    "label = \"c-dsvgd, more particles\"  # unique\n"
    "particles = 50\n"
    "\n"
    "[[algorithm]]\n"
    "type = \"fedavg\"\n"
    "\n"
    "[sweep]                           # two cases ...\n"
    "\"experiment.agents\" = [4, 20]\n"
    "\n"
    "[[case]]                          # ... in each of two variants\n"
    "name = \"wide prior\"\n"
    "model.prior_deviation = 10\n"
    "\n"
    "[[case]]\n"
    "name = \"the usual prior\"\n"
    "\n"
    "[quick]                           # with --quick\n"
    "federation.rounds = 2\n"
    "\n"
    "[[figure]]\n"
    "kind = \"rounds\"\n"
    "metric = \"log_likelihood\"\n"
    "```\n";

// A cell of a Markdown table: a bar would end it.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(const std::string& text) {
  return "`" + text + "`";
}

// As a TOML file has it.
std::string toml_text(const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? to_text(value) : "\"" + *text + "\"";
}

std::string default_text(const Setting& setting) {
  if (setting.when_absent == WhenAbsent::kMistake) return "must be given";
  if (setting.when_absent == WhenAbsent::kElsewhere) return "see meaning";
  return code(setting.plurality == Plurality::kOne || holds_list(setting) ? toml_text(setting.standard) : "[]");
}

std::string keys_table(const std::vector<Setting>& settings) {
  std::string out = "| key | meaning | allowed | default |\n|---|---|---|---|\n";
  for (const Setting& setting : settings) {
    out += "| " + code(setting.key) + " | " + cell(setting.help) + " | " + cell(allowed_text(setting)) + " | " +
           cell(default_text(setting)) + " |\n";
  }
  return out;
}

std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

std::string heading(const TableDefinition& table) {
  const std::string name = table.repeated ? "[[" + table.name + "]]" : "[" + table.name + "]";
  return "\n## " + code(name) + "\n\n" + sentence(table.help) + (table.repeated ? " Any number of them.\n" : "\n");
}

std::string model_tables(const Registry& registry) {
  std::string out;
  for (const ModelType& type : registry.model_types()) {
    out += "\n### " + code("type = \"" + type.name + "\"") + "\n\n" + sentence(type.summary) + "\n";
    if (!type.settings.empty()) out += "\n" + keys_table(type.settings);
  }
  return out;
}

std::string algorithm_tables(const Registry& registry) {
  std::string out;
  for (const Algorithm& algorithm : registry.algorithms()) {
    out += "\n### " + code("type = \"" + algorithm.name + "\"") + "\n\n" + sentence(algorithm.summary);
    out += algorithm.centralised ? " Needs all data in one place.\n"
           : algorithm.parallel  ? " Takes several agents a round.\n"
                                 : "\n";
    if (!algorithm.settings.empty()) out += "\n" + keys_table(algorithm.settings);
  }
  return out;
}

std::string names_text(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "all" : out;
}

std::string paper_table() {
  std::string out =
      "\n## The paper's values\n"
      "\n"
      "With `preset = \"paper\"` these values replace the defaults above. Of several lines that apply the last one "
      "counts.\n"
      "`batch` is then the value that belongs to a known dataset.\n"
      "\n"
      "| key | value |\n|---|---|\n";
  for (const PresetDefault& line : paper_tables()) {
    out += "| " + code(line.table + "." + line.key) + " | " + code(toml_text(line.value)) + " |\n";
  }
  out += "\n| key | value | models | datasets | methods | source |\n|---|---|---|---|---|---|\n";
  for (const PaperDefault& line : paper_defaults()) {
    const std::string methods = line.of_model       ? "(of the model)"
                                : line.adagrad_only ? "methods that use AdaGrad"
                                                    : names_text(line.methods);
    out += "| " + code(line.key) + " | " + code(toml_text(line.value)) + " | " + names_text(line.models) + " | " +
           names_text(line.datasets) + " | " + methods + " | " + line.source + " |\n";
  }
  return out;
}

}  // namespace

std::string configuration_reference(const Registry& registry) {
  const Definitions definitions(registry);
  std::string out = kOpening;
  for (const TableDefinition& table : definitions.tables()) {
    out += heading(table);
    if (!table.keys.empty()) out += "\n" + keys_table(table.keys);
    if (table.name == "model") out += model_tables(registry);
    if (table.name == "algorithm") out += algorithm_tables(registry);
  }
  out +=
      "\n## `[server]`\n\nWhat `fedstein serve` needs besides the experiment. `fedstein run` accepts the same file and "
      "runs it "
      "in one process.\n\n";
  out += keys_table(server_settings());
  return out + paper_table() + kExample;
}

}  // namespace fedstein
