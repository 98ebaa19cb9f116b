// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/catalogue.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

const CatalogueEntry& catalogue_entry(std::string_view name) {
  std::string names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  throw InvalidArgument("unknown experiment '" + std::string(name) + "'; allowed: " + names);
}

}  // namespace fedstein
