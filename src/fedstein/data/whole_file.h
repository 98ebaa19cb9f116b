// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/data/error.h"

namespace fedstein {

// A file that cannot be written.
class WriteError : public DataError {
 public:
  using DataError::DataError;
};

// A file that would be overwritten, and nobody said that it may be.
class AlreadyThere : public DataError {
 public:
  using DataError::DataError;
};

// A file that appears under its name when it is complete, or not at all: written beside its place under another name,
// renamed by commit(), removed by the destructor otherwise. Missing folders are made. A link is followed; what is there
// and is no ordinary file (a device, a pipe, a folder) is refused and left alone. Throws WriteError.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void write(std::string_view bytes);
  // All bytes are in the file now, for whoever wants to read them back before commit().
  const std::string& unfinished_path() const { return unfinished_; }
  // On disk and in place; what was there before is replaced.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  std::string unfinished_;
  int descriptor_ = -1;
};

}  // namespace fedstein
