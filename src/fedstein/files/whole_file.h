// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/files/open_file.h"
#include "fedstein/files/output_rules.h"

namespace fedstein {

// A file that appears under its name when it is complete, or not at all: written beside its place under another name,
// put in place by commit(), removed by the destructor otherwise. Missing folders are made. What may be replaced is
// asked before the first byte and again at the end. Throws AlreadyThere or WriteError.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path, WriteOptions options = {});
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void write(std::string_view bytes);
  // All bytes are in the file now, for whoever wants to read them back before commit().
  const std::string& unfinished_path() const { return unfinished_; }
  // On disk and in place, with its name: file and folder are synced.
  void commit();

 private:
  void open_unfinished();
  void put_in_place();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  WriteOptions options_;
  std::string unfinished_;  // empty: there is none
  OpenFile file_;
};

// The same in one call.
void write_whole_file(const std::string& path, std::string_view bytes, const WriteOptions& options = {});

// A name that is new or gone survives a power cut only when its folder is on disk too. Throws WriteError.
void sync_folder(const std::string& folder);

}  // namespace fedstein
