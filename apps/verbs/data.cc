// SPDX-License-Identifier: Apache-2.0
// The family `data`: what is there, make, check, fetch; describe stands in data_describe.cc.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "fedstein/base/exit_codes.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/data/error.h"
#include "fedstein/data/made_sets.h"
#include "fedstein/experiment/table.h"
#include "fedstein/fetch/fetch.h"
#include "fedstein/numeric/check.h"
#include "terminal.h"
#include "verbs/data_describe.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct DataArguments {
  std::vector<std::string> names = {};
  std::string folder = {};
  std::string from = {};
  Index rows = 0;
  std::uint64_t seed = 0;
  bool force = false;
  bool json = false;
};

std::string host_of(const std::string& address) {
  const std::size_t start = address.find("://") + 3;
  return address.substr(start, address.find('/', start) - start);
}

std::string source_of(const DatasetInfo& info) {
  const std::vector<Original> originals = originals_of(info.name);
  if (!originals.empty()) return "data fetch: " + host_of(originals.front().address);
  return can_be_made(info.name) ? "data make" : "no known public original with a checksum";
}

// "twonorm, ringnorm, ..."
std::string made_names() {
  std::string out;
  for (const std::string& name : made_set_names()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// Empty: all there.
std::string first_missing(const DatasetInfo& info, const std::string& folder) {
  for (const std::string& file : info.files) {
    if (!locate(folder, file)) return file;
  }
  return {};
}

std::vector<const DatasetInfo*> chosen(const std::vector<std::string>& names) {
  std::vector<const DatasetInfo*> out;
  for (const std::string& name : names) out.push_back(&find_dataset(name));
  return out;
}

void list_json(const DataArguments& arguments) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const DatasetInfo& info : known_datasets()) {
    const std::string missing = first_missing(info, arguments.folder);
    all.push_back({{"name", info.name},
                   {"description", info.description},
                   {"labels", label_kind_name(info.labels)},
                   {"here", missing.empty()},
                   {"missing", missing.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(missing)},
                   {"generated", info.files.empty()},
                   {"make", can_be_made(info.name)},
                   {"fetch", !originals_of(info.name).empty()},
                   {"rows", info.rows},
                   {"features", info.features},
                   {"classes", info.class_counts.size()}});
  }
  // A file's name need not be UTF-8.
  const nlohmann::ordered_json out = {{"folder", arguments.folder}, {"datasets", std::move(all)}};
  std::cout << out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

void list(const DataArguments& arguments) {
  Table table{.header = {"name", "kind", "here", "source", "rows", "features"}, .text_columns = 4};
  Index present = 0;
  for (const DatasetInfo& info : known_datasets()) {
    const std::string missing = first_missing(info, arguments.folder);
    const std::string here = info.files.empty() ? "generated when loaded" : missing.empty() ? "yes" : "no: " + missing;
    if (missing.empty()) ++present;
    table.rows.push_back({{info.name},
                          {label_kind_name(info.labels)},
                          {here},
                          {source_of(info)},
                          {std::to_string(info.rows)},
                          {std::to_string(info.features)}});
  }
  std::cout << to_text(table, stdout_is_rich()) << "\n"
            << present << " of " << table.rows.size() << " sets can be loaded with the data folder '"
            << arguments.folder << "' (--data, or FEDSTEIN_DATA)\n";
}

void make(const DataArguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& name : arguments.names) {
    if (name == "all") {
      names.insert(names.end(), made_set_names().begin(), made_set_names().end());
    } else {
      names.push_back(name);
    }
  }
  for (const std::string& name : names) {
    check_argument(can_be_made(name), "data make", [&] {
      std::vector<std::string> allowed = made_set_names();
      allowed.emplace_back("all");
      return "'" + name + "' has no generator" + instead_of(name, allowed);
    });
    check_argument(arguments.rows == 0 || !find_dataset(name).files.empty(), "data make", [&] {
      return "--rows is given for " + name + ", whose shape is fixed; leave it out, or name the other sets";
    });
  }
  for (const std::string& name : names) {
    const MadeFile file = make_file(
        name, {.folder = arguments.folder, .rows = arguments.rows, .seed = arguments.seed, .replace = arguments.force});
    std::cout << name << ": " << file.rows << " rows, seed " << arguments.seed << ", in " << file.path
              << (file.known_by_name ? "" : " (use it by this path)") << "\n";
  }
}

// One line; false when the set is not what its name says.
bool check_one(const DatasetInfo& info, const std::string& folder) {
  try {
    const Dataset set = load_dataset(info.name, folder);
    validate(set);
    std::string verdict = "checksum agrees";
    try {
      check_contents(info, set);
      if (info.checksum == 0) verdict = "generated, no checksum";
    } catch (const DataError&) {
      if (!can_be_made(info.name)) throw;
      verdict = "made by a generator, not the published rows";
    }
    std::cout << info.name << ": ok, " << shape_of(set.x) << ", " << label_kind_name(info.labels) << ", " << verdict
              << "\n";
    return true;
  } catch (const DataError& error) {
    std::cout << info.name << ": BAD, " << error.what() << "\n";
  } catch (const InvalidArgument& error) {
    std::cout << info.name << ": BAD, " << error.what() << "\n";
  }
  return false;
}

int check_sets(const DataArguments& arguments) {
  std::vector<const DatasetInfo*> sets = chosen(arguments.names);
  if (sets.empty()) {
    for (const DatasetInfo& info : known_datasets()) {
      if (first_missing(info, arguments.folder).empty()) sets.push_back(&info);
    }
  }
  bool all_good = true;
  for (const DatasetInfo* info : sets) all_good = check_one(*info, arguments.folder) && all_good;
  return all_good ? 0 : kExitNegative;
}

// Rewrites one line on a terminal; silent elsewhere.
bool show_progress(const Original& original, std::uint64_t done, std::uint64_t total) {
  if (!stderr_is_terminal()) return true;
  std::cerr << "\r\x1b[K" << original.file << ": " << bytes_text(static_cast<double>(done));
  if (total > 0) std::cerr << " of " << bytes_text(static_cast<double>(total));
  std::cerr << std::flush;
  return true;
}

int fetch(const DataArguments& arguments) {
  FetchOptions options{.data_folder = arguments.folder, .from = arguments.from, .replace = arguments.force};
  options.progress = show_progress;
  const char* clear = stderr_is_terminal() ? "\r\x1b[K" : "";
  int code = 0;
  for (const DatasetInfo* info : chosen(arguments.names)) {
    try {
      const std::size_t count = fetch_dataset(info->name, options);
      std::cerr << clear;
      std::cout << info->name << ": "
                << (count == 0 ? "is there already" : std::to_string(count) + " files fetched, SHA-256 agrees") << "\n";
    } catch (const FetchError& error) {
      std::cerr << clear << "fedstein: " << info->name << ": " << error.what() << "\n";
      code = exit_code(error);  // and on with the next
    }
  }
  return code;
}

}  // namespace

void add_data(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<DataArguments>();
  arguments->folder = data_folder();
  CLI::App* family =
      program.add_subcommand("data", "Lists, makes, checks and fetches known datasets; describes a table of your own");
  family->require_subcommand(1);
  // Before the verbs, which inherit it.
  family->footer(
      "Examples:\n"
      "  fedstein data list\n"
      "  fedstein data list --json | jq -r '.datasets[] | select(.here) | .name'\n"
      "  fedstein data make all -o data\n"
      "  fedstein data make twonorm --rows 1000 --seed 3 -o data\n"
      "  fedstein data fetch mnist covertype -o data\n"
      "  fedstein data check mnist\n"
      "  fedstein data describe patients.csv --label ill");
  const auto with_folder = [&](CLI::App* verb, const char* flags) {
    verb->add_option(flags, arguments->folder, "folder of the datasets; default: $FEDSTEIN_DATA")->type_name("FOLDER");
    return verb;
  };

  CLI::App* list_verb = with_folder(
      family->add_subcommand("list", "Lists every known dataset and whether its files are present"), "--data");
  list_verb->add_flag("--json", arguments->json, "print JSON");
  list_verb->callback([arguments] { arguments->json ? list_json(*arguments) : list(*arguments); });

  CLI::App* make_verb =
      with_folder(family->add_subcommand("make", "Generates synthetic datasets by their definitions"), "-o,--data");
  make_verb->add_option("names", arguments->names, made_names() + ", or all")->required()->type_name("NAME...");
  make_verb->add_option("--rows", arguments->rows, "number of rows; default: as many as the published dataset")
      ->check(whole_number(1, 10'000'000))
      ->type_name("N");
  make_verb->add_option("--seed", arguments->seed, "default: 0")->type_name("N");
  make_verb->add_flag("--force", arguments->force, "replace existing files");
  make_verb->callback([arguments] { make(*arguments); });

  CLI::App* check_verb = with_folder(
      family->add_subcommand("check", "Compares shape, labels and every number with the published dataset"), "--data");
  check_verb->add_option("names", arguments->names, "default: all datasets whose files are present")
      ->type_name("NAME...");
  check_verb->callback([arguments, &outcome] { outcome.exit_code = check_sets(*arguments); });

  CLI::App* fetch_verb =
      with_folder(family->add_subcommand("fetch", "Downloads public originals and checks their SHA-256"), "-o,--data");
  fetch_verb->add_option("names", arguments->names, "as `data list` names them")->required()->type_name("NAME...");
  fetch_verb
      ->add_option(
          "--from", arguments->from, "address of a mirror of a data folder, used instead of the original hosts")
      ->type_name("URL");
  fetch_verb->add_flag("--force", arguments->force, "download files again that are already present");
  fetch_verb->callback([arguments, &outcome] { outcome.exit_code = fetch(*arguments); });

  add_data_describe(*family, outcome);
}

}  // namespace fedstein
