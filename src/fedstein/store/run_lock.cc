// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/run_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "fedstein/store/store_file.h"

namespace fedstein {
namespace {

struct flock byte_at(std::int64_t place) {
  struct flock out = {};
  out.l_type = F_WRLCK;
  out.l_whence = SEEK_SET;
  out.l_start = place;
  out.l_len = 1;
  return out;
}

}  // namespace

FileLock::FileLock(const std::string& store) : file_(full_path(store) + "-lock") {
  constexpr mode_t kEveryone = 0666;  // less the user's umask, as for any file
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kEveryone);
  if (descriptor_ < 0) throw StoreError(file_ + ": cannot be opened: " + std::strerror(errno));
}

FileLock FileLock::wait(const std::string& store, std::int64_t place) {
  FileLock out(store);
  out.take(place, true);
  return out;
}

FileLock FileLock::try_once(const std::string& store, std::int64_t place) {
  FileLock out(store);
  out.take(place, false);
  return out;
}

bool FileLock::is_held(const std::string& store, std::int64_t place) {
  const std::string file = full_path(store) + "-lock";
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) {
    if (errno == ENOENT) return false;
    throw StoreError(file + ": cannot be opened: " + std::strerror(errno));
  }
  struct flock range = byte_at(place);
  const int result = fcntl(descriptor, F_OFD_GETLK, &range);
  const int problem = errno;
  close(descriptor);
  if (result != 0) throw StoreError(file + ": cannot be asked for its lock: " + std::strerror(problem));
  return range.l_type != F_UNLCK;
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      held_(std::exchange(other.held_, false)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(held_, other.held_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

// A lock of the open file, not of the process: two of one process exclude each other as well.
void FileLock::take(std::int64_t place, bool patient) {
  struct flock range = byte_at(place);
  int result = -1;
  do {
    result = fcntl(descriptor_, patient ? F_OFD_SETLKW : F_OFD_SETLK, &range);
  } while (result != 0 && errno == EINTR);
  held_ = result == 0;
  if (!held_ && errno != EAGAIN && errno != EACCES) {
    throw StoreError(file_ + ": cannot be locked: " + std::strerror(errno));
  }
}

// Place 0 is for the making of the store; runs are counted from 1.
RunLock::RunLock(const std::string& store, RunId run) : lock_(FileLock::try_once(store, run)) {
  if (!lock_.holds()) {
    throw StoreError(store + ": run " + std::to_string(run) +
                     " is being written by another process; wait for it, or stop it, before resuming");
  }
}

bool RunLock::is_held(const std::string& store, RunId run) {
  return FileLock::is_held(store, run);
}

}  // namespace fedstein
