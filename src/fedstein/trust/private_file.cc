// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "fedstein/trust/certificate.h"

namespace fedstein {

void write_file(const std::string& path, const std::string& bytes, FileMode mode) {
  const auto fail = [&](const char* what) { throw UnwritableFile(path + ": " + what + ": " + std::strerror(errno)); };
  const std::string unfinished = path + "-new";
  ::unlink(unfinished.c_str());
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
  if (file < 0) fail("cannot be made");
  const bool written = ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const bool synced = written && fsync(file) == 0;
  if (close(file) != 0 || !synced) fail("cannot be written");
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) fail("cannot be replaced");
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) throw UnreadableFile(path + ": cannot be read: " + std::strerror(errno));
  return bytes.str();
}

}  // namespace fedstein
