// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/agent_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fedstein/base/text.h"
#include "fedstein/files/whole_file.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw StoreError(path + ": " + what + ": " + std::strerror(errno));
}

std::string prepared(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) throw StoreError(folder + ": cannot be made: " + problem.message());
  fs::permissions(folder, fs::perms::owner_all, problem);
  if (problem) throw StoreError(folder + ": cannot be made private: " + problem.message());
  return folder;
}

// 20260301T120000Z: fit for a file's name everywhere.
std::string compact_time() {
  std::string text = utc_now();
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

}  // namespace

AgentFolder::AgentFolder(const std::string& path)
    : folder_(prepared(path)), record_(path + "/agent.state"), lock_(FileLock::try_once(record_, 0)) {
  if (!lock_.holds()) throw FolderInUse(path + ": another agent works in this folder");
}

std::optional<std::string> AgentFolder::read() const {
  if (!fs::exists(record_)) return std::nullopt;
  std::ifstream file(record_, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw StoreError(record_ + ": cannot be read");
  return bytes.str();
}

void AgentFolder::replace(const std::string& record) {
  try {
    write_whole_file(record_, record, {.mode = FileMode::kPrivate, .replacing = Replacing::kAnything, .alone = true});
  } catch (const FileError& error) {
    throw StoreError(error.what());
  }
}

std::string AgentFolder::set_aside() {
  if (!fs::exists(record_)) return {};
  // The lock keeps others out, so a name that is free now is free in a moment.
  const std::string named = record_ + ".old-" + compact_time();
  std::string aside = named;
  for (int more = 2; fs::exists(aside); ++more) aside = named + "-" + std::to_string(more);
  if (std::rename(record_.c_str(), aside.c_str()) != 0) fail(record_, "cannot be renamed");
  try {
    sync_folder(folder_);
  } catch (const FileError& error) {
    throw StoreError(error.what());
  }
  return aside;
}

}  // namespace fedstein
