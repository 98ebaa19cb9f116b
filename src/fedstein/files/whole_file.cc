// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::string random_letters() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string out;
  for (int i = 0; i < 10; ++i) out += kLetters[random() % kLetters.size()];
  return out;
}

}  // namespace

WholeFile::WholeFile(const std::string& path, WriteOptions options) : path_(path), options_(std::move(options)) {
  check_output(path_, options_);
  std::error_code problem;
  fs::create_directories(folder_of(path_), problem);
  if (problem) {
    throw WriteError(path_ + ": cannot be written: its folder cannot be made: " + problem.message());
  }
  open_unfinished();
}

WholeFile::~WholeFile() {
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
}

// Only ever a new file, whose mode is right from the start: nobody can have put a link there, nor read it meanwhile.
void WholeFile::open_unfinished() {
  constexpr int kAttempts = 16;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string name = path_ + (options_.alone ? "-new" : ".part-" + random_letters());
    if (options_.alone) unlink(name.c_str());
    file_ = OpenFile(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, static_cast<mode_t>(options_.mode)));
    if (file_) {
      unfinished_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  fail("cannot be written");
}

void WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void WholeFile::commit() {
  if (fsync(file_.number()) != 0 || !file_.close()) fail("cannot be written to disk");
  put_in_place();
  unfinished_.clear();
  sync_folder(folder_of(path_));
}

void WholeFile::put_in_place() {
  check_output(path_, options_);  // whatever came there meanwhile
  if (options_.replacing == Replacing::kNothing) {
    // The kernel's word, where the file system knows it, that nothing came between asking and renaming.
    if (renameat2(AT_FDCWD, unfinished_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return;
    if (errno == EEXIST) throw AlreadyThere(path_ + ": is there already; " + options_.way_out);
    if (errno != EINVAL && errno != ENOSYS) fail("cannot be put in place");
  }
  if (rename(unfinished_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
}

void WholeFile::fail(const std::string& what) const {
  throw WriteError(path_ + ": " + what + ": " + std::strerror(errno));
}

void write_whole_file(const std::string& path, std::string_view bytes, const WriteOptions& options) {
  WholeFile file(path, options);
  file.write(bytes);
  file.commit();
}

void sync_folder(const std::string& folder) {
  const OpenFile file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file && errno == EACCES) return;  // a folder that may be written but not read: nothing more can be done
  // Some file systems have nothing to sync of a folder and say so.
  if (!file || (fsync(file.number()) != 0 && errno != EINVAL)) {
    throw WriteError(folder + ": cannot be written to disk: " + std::strerror(errno));
  }
}

}  // namespace fedstein
