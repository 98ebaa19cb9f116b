// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/base/error.h"

namespace fedstein {

// Something that the command line names is not there. Every verb ends with the same exit code then.
class MissingInput : public ErrorOf<ErrorKind::kMissing> {
 public:
  using ErrorOf::ErrorOf;
};

// Throws MissingInput unless there is a file of that name; a folder is none.
void require_file(const std::string& path);

// The same for a file that is read by somebody who cannot be interrupted, or again later: a pipe, whose opening may
// never return, and a device are none either.
void require_ordinary_file(const std::string& path);

}  // namespace fedstein
