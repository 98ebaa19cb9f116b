// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/missing_input.h"

#include <filesystem>

#include "fedstein/files/access.h"

namespace fedstein {

void require_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) throw MissingInput("there is no file '" + path + "'" + file_like(path));
  if (std::filesystem::is_directory(status)) throw MissingInput("'" + path + "' is a folder; a file is needed");
}

void require_ordinary_file(const std::string& path) {
  require_file(path);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return;
  throw MissingInput("'" + path + "' is a pipe or a device; an ordinary file is needed");
}

}  // namespace fedstein
