// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/agent_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

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

void write_synced(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) fail(path, "cannot be opened");
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      close(file);
      fail(path, "cannot be written");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  const bool synced = fsync(file) == 0;
  if (close(file) != 0 || !synced) fail(path, "cannot be synced");
}

void sync_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail(path, "cannot be opened");
  const bool synced = fsync(folder) == 0;
  close(folder);
  if (!synced) fail(path, "cannot be synced");
}

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts);
  return text.data();
}

}  // namespace

AgentFolder::AgentFolder(const std::string& path)
    : folder_(prepared(path)), record_(path + "/agent.state"), lock_(FileLock::try_once(record_, 0)) {
  if (!lock_.holds()) throw StoreError(path + ": another agent works in this folder");
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
  const std::string unfinished = record_ + "-new";
  write_synced(unfinished, record);
  if (std::rename(unfinished.c_str(), record_.c_str()) != 0) fail(record_, "cannot be replaced");
  sync_folder(folder_);
}

std::string AgentFolder::set_aside() {
  if (!fs::exists(record_)) return {};
  // The lock keeps others out, so a name that is free now is free in a moment.
  const std::string named = record_ + ".old-" + utc_time();
  std::string aside = named;
  for (int more = 2; fs::exists(aside); ++more) aside = named + "-" + std::to_string(more);
  if (std::rename(record_.c_str(), aside.c_str()) != 0) fail(record_, "cannot be renamed");
  sync_folder(folder_);
  return aside;
}

}  // namespace fedstein
