// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/source.h"

namespace fedstein {

struct LeafRows {
  Matrix x;                             // n x p
  Vector y;                             // n
  std::vector<Index> user;              // per row: index into user_names; users in their order, rows together
  std::vector<std::string> user_names;  // the file's `users`
};

// JSON in the layout of the LEAF benchmark, plain, gzip or bzip2:
//   {"users": [name...], "num_samples": [count...], "user_data": {name: {"x": [[number...]...], "y": [label...]}...}}
// with a label a number or an array of one. The keys may come in any order, each once; num_samples must agree with the
// rows; other keys of the outermost object are skipped. The text is parsed as it streams, never held as a tree.
// Throws DataError.
LeafRows read_leaf(const std::string& path, std::uint64_t byte_limit = kByteLimit);
LeafRows parse_leaf(std::string_view bytes, const std::string& name, std::uint64_t byte_limit = kByteLimit);

}  // namespace fedstein
