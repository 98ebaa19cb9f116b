// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/load.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "fedstein/data/error.h"
#include "fedstein/data/generators.h"
#include "fedstein/data/made_sets.h"
#include "fedstein/data/missing_set.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::string find_file(const DatasetInfo& info, const std::string& folder, const std::string& file) {
  const std::optional<std::string> found = locate(folder, file);
  if (found) return *found;
  fail_file((std::filesystem::path(folder) / file).string(),
            "no such file; the dataset " + info.name + " needs " + file + " in the data folder '" + folder +
                "': " + ways_to_get(info, folder));
}

std::string counts_text(const std::vector<Index>& counts) {
  std::string out;
  for (const Index count : counts) out += (out.empty() ? "" : " / ") + std::to_string(count);
  return out;
}

void check_shape(const DatasetInfo& info, const Dataset& dataset, const std::string& path) {
  if (dataset.x.rows() != info.rows || dataset.x.cols() != info.features) {
    fail_file(path,
              info.name + " comes out as " + shape_of(dataset.x) + "; the published set is " +
                  std::to_string(info.rows) + " x " + std::to_string(info.features) +
                  " (load another file by its path, not by this name)");
  }
  // A made set's classes are drawn: their counts are its own. Whether it is the published one, check_contents says.
  if (info.class_counts.empty() || can_be_made(info.name)) return;
  const std::vector<Index> counts = class_counts(dataset);
  if (counts != info.class_counts) {
    fail_file(path,
              info.name + " has " + counts_text(counts) + " rows a class; the published set has " +
                  counts_text(info.class_counts));
  }
}

}  // namespace

std::optional<std::string> locate(const std::string& data_folder, const std::string& file) {
  const auto is_file = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
  };
  const std::filesystem::path path = std::filesystem::path(data_folder) / file;
  if (is_file(path)) return path.string();
  std::filesystem::path unpacked = path;
  if (path.extension() == ".gz" && is_file(unpacked.replace_extension())) return unpacked.string();
  return std::nullopt;
}

Dataset load_dataset(std::string_view name, const std::string& data_folder, std::uint64_t seed) {
  const DatasetInfo& info = find_dataset(name);
  if (info.files.empty()) return make_dataset(info.name, {.seed = seed});

  std::vector<std::string> paths;
  for (const std::string& file : info.files) paths.push_back(find_file(info, data_folder, file));
  if (info.read_together != nullptr) {
    Dataset out = info.read_together(paths);
    out.name = info.name;
    check_shape(info, out, paths.front());
    return out;
  }
  const std::size_t step = info.layout.format == FileFormat::kIdx ? 2 : 1;
  Dataset out;
  for (std::size_t first = 0; first < paths.size(); first += step) {
    const auto begin = paths.begin() + static_cast<std::ptrdiff_t>(first);
    Dataset part = read_layout({begin, begin + static_cast<std::ptrdiff_t>(step)}, info.layout, info.labels);
    if (first == 0) {
      out = std::move(part);
    } else {
      append_rows(out, part, paths[first]);
    }
  }
  out.name = info.name;
  check_shape(info, out, paths.front());
  return out;
}

Dataset load_dataset_file(const std::string& path, const OwnFile& file) {
  std::vector<std::string> paths = {path};
  if (!file.label_path.empty()) paths.push_back(file.label_path);
  Dataset out = read_layout(paths, file.layout, file.labels);
  if (!file.name.empty()) out.name = file.name;
  return out;
}

void check_contents(const DatasetInfo& info, const Dataset& dataset) {
  check_shape(info, dataset, dataset.name);
  if (info.checksum == 0 || checksum(dataset) == info.checksum) return;
  fail_file(dataset.name, "some numbers differ from the published set's: the checksum does not match");
}

}  // namespace fedstein
