// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/made_sets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "fedstein/data/error.h"
#include "fedstein/files/deflate.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Shortest digits that give the same double: reading them rounds once, back to where they came from.
void append_number(std::string& text, Real value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<double>(value));
  text.append(digits.data(), end);
}

// Group and label in front where there are groups, else the label last.
std::string table_text(const Dataset& set) {
  std::string out;
  for (Index row = 0; row < set.x.rows(); ++row) {
    if (!set.group.empty()) {
      out += std::to_string(set.group[static_cast<std::size_t>(row)]) + ",";
      append_number(out, set.y(row));
    }
    for (Index column = 0; column < set.x.cols(); ++column) {
      if (column > 0 || !set.group.empty()) out += ',';
      append_number(out, set.x(row, column));
    }
    if (set.group.empty()) {
      out += ',';
      append_number(out, set.y(row));
    }
    out += '\n';
  }
  return out;
}

std::filesystem::path place_of(const DatasetInfo& info, Index rows) {
  if (info.files.empty()) return "generated/" + info.name + ".csv.gz";
  const std::filesystem::path published = info.files.front();
  if (rows == info.rows) return published;
  return published.parent_path() / (info.name + "-" + std::to_string(rows) + ".csv.gz");
}

}  // namespace

const std::vector<std::string>& made_set_names() {
  static const std::vector<std::string> names = {"twonorm", "ringnorm", "waveform", "feature-skew", "two-arcs"};
  return names;
}

bool can_be_made(std::string_view name) {
  const std::vector<std::string>& names = made_set_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

MadeFile make_file(std::string_view name, const MakeOptions& options) {
  const Dataset set = make_dataset(name, {.rows = options.rows, .seed = options.seed});
  const DatasetInfo& info = find_dataset(name);
  MadeFile out;
  out.rows = set.x.rows();
  out.known_by_name = !info.files.empty() && out.rows == info.rows;
  const std::filesystem::path path = options.folder / place_of(info, out.rows);
  out.path = path.string();
  for (const std::filesystem::path& there : {path, std::filesystem::path(path).replace_extension()}) {
    if (!options.replace && std::filesystem::exists(there)) {
      throw AlreadyThere(there.string() + ": is there already, perhaps as the published set; --force replaces it");
    }
  }
  write_whole_file(
      out.path,
      deflated(table_text(set)),
      {.replacing = options.replace ? Replacing::kAnything : Replacing::kNothing, .way_out = "--force replaces it"});
  return out;
}

OwnFile made_layout(std::string_view name) {
  const DatasetInfo& info = find_dataset(name);
  OwnFile out;
  out.name = info.name;
  out.labels = info.labels;
  out.layout = info.layout;
  if (info.files.empty()) {  // a place of its own, with its groups
    out.layout.text.columns = info.features + 2;
    out.layout.group_column = 0;
    out.layout.label_column = 1;
  }
  return out;
}

}  // namespace fedstein
