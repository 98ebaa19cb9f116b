// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fedstein/fetch/download.h"
#include "fedstein/fetch/originals.h"

namespace fedstein {

struct FetchOptions {
  std::string data_folder = {};
  // Instead of the originals' own addresses: FROM/FILE for every file, as fetch lays them out under a data folder.
  std::string from = {};
  bool replace = false;  // fetch also what is there
  TimeLimits limits = {};
  // Per file: which, bytes so far, bytes in all (0: not known). false: stop.
  std::function<bool(const Original&, std::uint64_t done, std::uint64_t total)> progress = {};
};

// How many files were fetched; 0: all were there. Files that were complete stay when a later one fails. Throws
// FetchError, DataError, and InvalidArgument for an unknown name or a set without known originals.
std::size_t fetch_dataset(std::string_view name, const FetchOptions& options);

}  // namespace fedstein
