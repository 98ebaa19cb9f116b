// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/data/source.h"

namespace fedstein {

struct LabelledRows {
  Matrix x;  // n x features
  Vector y;  // n
};

// LIBSVM text, plain, gzip or bzip2: one row per line, "label index:value index:value ...", separated by blanks.
// Indices count from 1, ascend, and do not pass `features`; a feature that is not named is 0. Throws DataError.
LabelledRows read_libsvm(const std::string& path, Index features, std::uint64_t byte_limit = kByteLimit);
LabelledRows parse_libsvm(std::string_view bytes,
                          const std::string& name,
                          Index features,
                          std::uint64_t byte_limit = kByteLimit);

}  // namespace fedstein
