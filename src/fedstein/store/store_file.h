// SPDX-License-Identifier: Apache-2.0
// The file of a run store: made whole or not at all, and refused unless it is one.
#pragma once

#include <memory>
#include <string>

#include "fedstein/store/sqlite.h"

namespace fedstein {

// The same for every name of one file, so that processes which name it differently meet at the same side files.
std::string full_path(const std::string& path);

// An open store, its kind and format checked. Throws StoreError.
std::unique_ptr<Connection> open_to_read(const std::string& path);
std::unique_ptr<Connection> open_to_write(const std::string& path);  // makes it where there is none

}  // namespace fedstein
