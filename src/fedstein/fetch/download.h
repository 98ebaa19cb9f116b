// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fedstein/base/error.h"
#include "fedstein/files/output_rules.h"

namespace fedstein {

// What came from the network, or did not come: one sentence with the address.
class FetchError : public ErrorOf<ErrorKind::kUnavailable> {
 public:
  using ErrorOf::ErrorOf;
};

struct TimeLimits {
  int connect_seconds = 15;
  int silence_seconds = 30;  // between two pieces
  int total_seconds = 3600;
};

// What a download must be. Sizes are known beforehand, so nothing can fill the disk.
struct Expected {
  std::string sha256 = {};
  std::uint64_t bytes = 0;
  // Of the unpacked bytes: upstream's own packing is not known to us. most_bytes then bounds the packed file.
  bool unpacked = false;
  std::uint64_t most_bytes = 0;
};

// Bytes so far, and of how many (0: not known). false: stop.
using OnProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

struct DownloadOptions {
  TimeLimits limits = {};
  int most_redirects = 5;
  OnProgress progress = {};
  Replacing replacing = Replacing::kNothing;  // of a file that is there already
};

// The file at `address`, in place at `path` when it is complete and right; nothing otherwise. Redirects are followed,
// never from https to http. Throws FetchError, or DataError when the disk is at fault.
void download(const std::string& address,
              const std::string& path,
              const Expected& expected,
              const DownloadOptions& options = {});

}  // namespace fedstein
