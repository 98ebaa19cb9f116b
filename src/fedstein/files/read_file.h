// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/files/file_error.h"

namespace fedstein {

// A small file, whole. Throws UnreadableFile.
std::string read_file(const std::string& path);

// The same for a private key: throws ExposedFile where its mode lets anybody but its owner in, as ssh does.
std::string read_private_file(const std::string& path);

// Takes group's and others' rights to a file of ours away. One that is not there has none. Throws WriteError.
void keep_to_owner(const std::string& path);

}  // namespace fedstein
