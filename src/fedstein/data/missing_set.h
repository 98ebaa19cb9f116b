// SPDX-License-Identifier: Apache-2.0
// What to do about a set known by name whose files are not there.
#pragma once

#include <string>

#include "fedstein/data/registry.h"

namespace fedstein {

// Whether `fedstein data fetch` knows where its files are published; fetch/originals.h has the addresses.
bool has_public_original(const DatasetInfo& info);

// "`fedstein data make twonorm -o data` makes it, or point FEDSTEIN_DATA (or --data) at the folder that holds it"
std::string ways_to_get(const DatasetInfo& info, const std::string& folder);

// "its file a/b.gz is not in the data folder 'data'; `fedstein data make twonorm -o data` makes it, or point ...";
// empty: all its files are there and can be read.
std::string missing_set_sentence(const DatasetInfo& info, const std::string& folder);

}  // namespace fedstein
