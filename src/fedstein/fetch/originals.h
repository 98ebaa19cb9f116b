// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/fetch/download.h"

namespace fedstein {

// One file of a data set as somebody publishes it.
struct Original {
  std::string file = {};  // where it goes, relative to the data folder
  std::string address = {};
  Expected expected = {};
};

// All that a set needs, when its files are published with bytes that we know; empty when they are not. The files of
// published splits (DatasetInfo::standard_splits) are joined from many and not among them.
std::vector<Original> originals_of(std::string_view dataset);

}  // namespace fedstein
