// SPDX-License-Identifier: Apache-2.0
// Generated sets as files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/generators.h"
#include "fedstein/data/load.h"

namespace fedstein {

// The sets that have a generator, in the registry's order.
const std::vector<std::string>& made_set_names();

struct MadeFile {
  std::string path = {};
  bool known_by_name = false;  // load_dataset(NAME, folder) reads it; else load_dataset_file(path, made_layout(NAME))
  Index rows = 0;
};

struct MakeOptions {
  std::string folder = {};
  Index rows = 0;  // 0: as the published set
  std::uint64_t seed = 0;
  bool replace = false;  // a file that is there already
};

// Writes the set in the registry's form and at the registry's place, packed by gzip; every number reads back exactly. A
// set of another size than the published one is no set of that name and is called NAME-ROWS. feature-skew and two-arcs
// have no place: by name they are generated whenever they are loaded. Throws InvalidArgument for a name without
// generator, AlreadyThere for a file that is there already.
MadeFile make_file(std::string_view name, const MakeOptions& options);

// How to read a made file by its path.
OwnFile made_layout(std::string_view name);

// Whether a generator can stand in for the published files.
bool can_be_made(std::string_view name);

}  // namespace fedstein
