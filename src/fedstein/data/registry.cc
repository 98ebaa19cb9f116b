// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/registry.h"

#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

const DatasetInfo& find_dataset(std::string_view name) {
  std::vector<std::string> known;
  for (const DatasetInfo& info : known_datasets()) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  throw InvalidArgument("there is no dataset '" + std::string(name) + "'" +
                        instead_of(name, known, {.lead = "known: ", .where_all = "`fedstein data list` shows all"}));
}

// A set that is generated when it is loaded has no layout; it comes with the agents as groups.
bool has_groups(const DatasetInfo& info) {
  return info.layout.group_column >= 0 || !info.group_names.empty() || info.files.empty();
}

Split default_split(const DatasetInfo& info, const Dataset& dataset, std::uint64_t seed) {
  switch (info.split) {
    case SplitRule::kGiven:
      return given_split(dataset.x.rows(), info.train_rows);
    case SplitRule::kGroups:
      return hold_out_groups(dataset,
                             {.test_fraction = info.test_fraction, .linked = info.linked_groups, .seed = seed});
    case SplitRule::kRandom:
      break;
  }
  return random_split(dataset.x.rows(), info.test_fraction, seed);
}

Scaling default_scaling(const DatasetInfo& info, const Dataset& dataset, const Split& split) {
  if (info.scaled_by_all_rows) return fit_scaling(info.scaling, dataset, all_rows(dataset.x.rows()));
  return fit_scaling(info.scaling, dataset, split.train);
}

}  // namespace fedstein
