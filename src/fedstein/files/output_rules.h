// SPDX-License-Identifier: Apache-2.0
// What may be written over: nothing of a user's unasked, nothing through a link, never what is being read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/files/file_error.h"

namespace fedstein {

enum class FileMode { kPublic = 0644, kPrivate = 0600 };  // less the user's umask

// How a file of ours is known: this text is within its first bytes.
struct FileMark {
  std::string_view text = {};
  std::size_t within = 0;
};

enum class Replacing {
  kNothing,   // a file that is there stays
  kOurs,      // one that bears the mark is replaced
  kAnything,  // every ordinary file is; whoever says so has been asked
};

struct WriteOptions {
  FileMode mode = FileMode::kPublic;
  Replacing replacing = Replacing::kNothing;
  FileMark ours = {};                    // of kOurs
  std::vector<std::string> inputs = {};  // paths that are being read: never replaced, whatever else is said
  std::string way_out = "move it away";  // what the user can do about a file that is there
  // Nobody else writes into this folder: the unfinished file has a name of its own, so that a process that is killed
  // again and again leaves one such file and not many.
  bool alone = false;
};

// Throws AlreadyThere when this path may not be written: something else is there, it is a symbolic link, or it is the
// same file as an input (by device and inode); WriteError when what is there is no ordinary file.
void check_output(const std::string& path, const WriteOptions& options);

}  // namespace fedstein
