// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/catalogue.h"

#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

const CatalogueEntry& catalogue_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw InvalidArgument("unknown experiment '" + std::string(name) + "'" +
                        instead_of(name, names, {.where_all = "`fedstein reproduce list` shows all"}));
}

}  // namespace fedstein
