// SPDX-License-Identifier: Apache-2.0
#include "fedstein/fetch/fetch.h"

#include <filesystem>

#include "fedstein/data/load.h"
#include "fedstein/data/made_sets.h"

namespace fedstein {
namespace {

// As in the registry, where a packed file may lie unpacked: then the set's own name for it counts.
bool is_there(const std::string& folder, const std::string& file) {
  return locate(folder, file) || locate(folder, file + ".gz");
}

std::string address_of(const Original& original, const std::string& from) {
  if (from.empty()) return original.address;
  return from + (from.back() == '/' ? "" : "/") + original.file;
}

}  // namespace

std::size_t fetch_dataset(std::string_view name, const FetchOptions& options) {
  const std::vector<Original> originals = originals_of(name);
  if (originals.empty()) {
    throw FetchError(
        std::string("there is no known public original with a checksum; ") +
        (can_be_made(name) ? "its generator can make such a set" : "put its files into the data folder by hand"));
  }
  std::size_t fetched = 0;
  for (const Original& original : originals) {
    if (!options.replace && is_there(options.data_folder, original.file)) continue;
    DownloadOptions download_options{.limits = options.limits};
    if (options.replace) download_options.replacing = Replacing::kAnything;
    if (options.progress) {
      download_options.progress = [&](std::uint64_t done, std::uint64_t total) {
        return options.progress(original, done, total);
      };
    }
    const std::filesystem::path path = std::filesystem::path(options.data_folder) / original.file;
    download(address_of(original, options.from), path.string(), original.expected, download_options);
    ++fetched;
  }
  return fetched;
}

}  // namespace fedstein
