// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fedstein {

// The experiments that come with fedstein: experiments/*.toml, part of the program so that it needs no folder of them.
struct CatalogueEntry {
  std::string name = {};
  std::string document = {};
};

// In the order of experiments/CMakeLists.txt.
const std::vector<CatalogueEntry>& catalogue();
// An unknown name is refused with the names there are.
const CatalogueEntry& catalogue_entry(std::string_view name);

}  // namespace fedstein
