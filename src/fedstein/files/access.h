// SPDX-License-Identifier: Apache-2.0
// Whether a file or folder can be used, asked before any work is done that would be lost.
#pragma once

#include <string>

namespace fedstein {

// Why the file cannot be read: "there is no such file; did you mean 'a.csv'?", "it is a folder", "it cannot be read:
// Permission denied"; empty: it can. Nothing is read of it, so a pipe loses nothing.
std::string unreadable_because(const std::string& path);

// "; did you mean 'a.csv'?", of the files that lie where this one is not; empty: none has such a name.
std::string file_like(const std::string& path);

// Why nothing can be made in the folder, or where it would be made: "'/x/a' is no folder", "nothing can be written in
// '/x': Permission denied"; empty: it can. Makes nothing.
std::string unwritable_because(const std::string& folder);

}  // namespace fedstein
