// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/access.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "fedstein/base/instead_of.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& path) {
  return "'" + path + "'";
}

}  // namespace

std::string file_like(const std::string& path) {
  constexpr int kMostEntries = 10'000;
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code problem;
  int left = kMostEntries;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end && left > 0; --left) {
    const std::string name = entry->path().filename().string();
    const bool is_plain = std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (is_plain) names.push_back(name);
    entry.increment(problem);
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string> like = names_like(wanted.filename().string(), names);
  if (like.empty()) return "";
  return "; did you mean " + quoted((wanted.parent_path() / like.front()).string()) + "?";
}

std::string unreadable_because(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) return "there is no such file" + file_like(path);
  if (problem) return "it cannot be read: " + problem.message();
  if (fs::is_directory(status)) return "it is a folder";
  return ::access(path.c_str(), R_OK) == 0 ? "" : std::string("it cannot be read: ") + std::strerror(errno);
}

std::string unwritable_because(const std::string& folder) {
  std::error_code problem;
  fs::path place = fs::absolute(folder.empty() ? "." : folder, problem).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // without the slash at its end
  while (!fs::exists(place, problem) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, problem)) return quoted(place.string()) + " is no folder";
  if (::access(place.c_str(), W_OK | X_OK) == 0) return "";
  return "nothing can be written in " + quoted(place.string()) + ": " + std::strerror(errno);
}

}  // namespace fedstein
