// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "fedstein/files/open_file.h"

namespace fedstein {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;  // keys, lists, configurations, an agent's record
constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;

[[noreturn]] void fail(const std::string& path) {
  throw UnreadableFile(path + ": cannot be read: " + std::strerror(errno));
}

OpenFile opened(const std::string& path) {
  // Without O_NONBLOCK the opening of a pipe that nobody writes to would never return.
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) fail(path);
  struct stat facts = {};
  if (fstat(file.number(), &facts) != 0) fail(path);
  if (!S_ISREG(facts.st_mode)) throw UnreadableFile(path + ": cannot be read: it is no ordinary file");
  return file;
}

std::string contents(const OpenFile& file, const std::string& path) {
  std::string bytes;
  std::array<char, 1 << 16> block{};
  while (true) {
    const ssize_t count = ::read(file.number(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path);
    if (count == 0) return bytes;
    if (bytes.size() > kMostBytes) {
      throw UnreadableFile(path + ": cannot be read: it has more than " + std::to_string(kMostBytes) + " bytes");
    }
    bytes.append(block.data(), static_cast<std::size_t>(count));
  }
}

// As chmod takes it: 0644.
std::string octal(mode_t mode) {
  std::string text;
  for (const unsigned shift : {9U, 6U, 3U, 0U}) text += static_cast<char>('0' + (mode >> shift & 7U));
  return text;
}

}  // namespace

std::string read_file(const std::string& path) {
  return contents(opened(path), path);
}

std::string read_private_file(const std::string& path) {
  const OpenFile file = opened(path);
  struct stat facts = {};
  if (fstat(file.number(), &facts) != 0) fail(path);
  // Of the opened file: another one may have its name by now.
  if ((facts.st_mode & kOfOthers) != 0) {
    throw ExposedFile(path + ": the private key has mode " + octal(facts.st_mode) +
                      ", so that others than its owner can read or change it; allowed: 0600 or less, by `chmod 600 " +
                      path + "`");
  }
  return contents(file, path);
}

void keep_to_owner(const std::string& path) {
  struct stat facts = {};
  if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || (facts.st_mode & kOfOthers) == 0) return;
  if (chmod(path.c_str(), facts.st_mode & 07777U & ~kOfOthers) != 0) {
    throw WriteError(path + ": cannot be kept from other users: " + std::strerror(errno));
  }
}

}  // namespace fedstein
