// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/run_choice.h"
#include "fedstein/files/output_rules.h"

namespace fedstein {

// Writes a posterior file into the folder for every job of the run whose last particles are in the store, and returns
// their paths. The scaling is that of the training rows: the run's datasets must be where they were.
std::vector<std::string> export_posteriors(const RunChoice& choice,
                                           const std::string& folder,
                                           const std::string& data_folder,
                                           const WriteOptions& options);

}  // namespace fedstein
