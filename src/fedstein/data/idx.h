// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/source.h"

namespace fedstein {

struct IdxArray {
  std::vector<Index> shape;          // each at least 1
  std::vector<std::uint8_t> values;  // last dimension fastest
};

// An IDX file of unsigned bytes, the format of MNIST, plain, gzip or bzip2. Memory grows with the bytes that arrive,
// not with what the header promises; fewer or more bytes than promised are an error. Throws DataError.
IdxArray read_idx(const std::string& path, std::uint64_t byte_limit = kByteLimit);
IdxArray parse_idx(std::string_view bytes, const std::string& name, std::uint64_t byte_limit = kByteLimit);

}  // namespace fedstein
