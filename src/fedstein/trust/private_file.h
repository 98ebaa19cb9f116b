// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fedstein {

enum class FileMode { kPublic = 0644, kPrivate = 0600 };

// Replaces the file as a whole, synced. Throws UnwritableFile.
void write_file(const std::string& path, const std::string& bytes, FileMode mode);
// A small file; throws UnreadableFile.
std::string read_file(const std::string& path);

}  // namespace fedstein
