// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/output_rules.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "fedstein/files/open_file.h"

namespace fedstein {
namespace {

bool bears(const std::string& path, const FileMark& mark) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file || mark.text.empty()) return false;
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  std::string front;
  while (front.size() < mark.within) {
    const std::size_t before = front.size();
    front.resize(before + std::min(kBlock, mark.within - before));
    const ssize_t count = ::read(file.number(), front.data() + before, front.size() - before);
    front.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
  }
  return front.find(mark.text) != std::string::npos;
}

// Run stores and journals are SQLite's; so may be something else of the user's. None is lost to a slip of the keyboard.
constexpr FileMark kDatabase{"SQLite format 3", 15};

}  // namespace

void check_output(const std::string& path, const WriteOptions& options) {
  struct stat there = {};
  if (lstat(path.c_str(), &there) != 0) return;  // nothing there; or the writing will say what is wrong with the path
  if (S_ISLNK(there.st_mode)) {
    throw AlreadyThere(path + ": is a symbolic link, which is never written through; name the file itself");
  }
  if (!S_ISREG(there.st_mode)) {
    throw WriteError(path + ": cannot be written: there is something that is no ordinary file");
  }
  for (const std::string& input : options.inputs) {
    struct stat read = {};
    if (stat(input.c_str(), &read) != 0 || read.st_dev != there.st_dev || read.st_ino != there.st_ino) continue;
    throw AlreadyThere(path + ": is the input " + input + " itself, which is never overwritten; name another file");
  }
  if (bears(path, kDatabase)) {
    throw AlreadyThere(path + ": is a database, which is never overwritten; name another file");
  }
  if (options.replacing == Replacing::kAnything) return;
  if (options.replacing == Replacing::kOurs) {
    if (bears(path, options.ours)) return;
    throw AlreadyThere(path + ": is there already and is not of the kind that would be written; " + options.way_out);
  }
  throw AlreadyThere(path + ": is there already; " + options.way_out);
}

}  // namespace fedstein
