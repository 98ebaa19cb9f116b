// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fedstein {
namespace {

// mkstemp makes files that only their owner may read; a data set is an ordinary file.
void give_ordinary_rights(int descriptor) {
  constexpr mode_t kReadable = 0644;
  fchmod(descriptor, kReadable);
}

// Where the file really is: a rename would replace a link, or a device, by an ordinary file.
std::string place_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw WriteError(path + ": cannot be written: there is something that is no ordinary file");
  }
  if (!fs::is_symlink(fs::symlink_status(path, problem))) return path;
  const fs::path target = fs::weakly_canonical(path, problem);
  return problem ? path : target.string();
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(place_of(path)), unfinished_(path_ + ".part-XXXXXX") {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) {
    throw WriteError(path + ": cannot be written: its folder cannot be made: " + problem.message());
  }
  descriptor_ = mkstemp(unfinished_.data());
  if (descriptor_ < 0) fail("cannot be written");
  give_ordinary_rights(descriptor_);
}

WholeFile::~WholeFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(unfinished_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void WholeFile::commit() {
  if (fsync(descriptor_) != 0) fail("cannot be written to disk");
  if (rename(unfinished_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
  close(std::exchange(descriptor_, -1));
}

void WholeFile::fail(const std::string& what) const {
  throw WriteError(path_ + ": " + what + ": " + std::strerror(errno));
}

}  // namespace fedstein
