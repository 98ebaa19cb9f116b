// SPDX-License-Identifier: Apache-2.0
// What a RUN on the command line means.
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/results.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

// runs/NAME/store.sqlite of a run folder; a path to a file is taken as it is. Missing: a sentence.
std::string store_path(const std::string& run);

struct RunChoice {
  RunStore store;  // open for reading
  RunId run = 0;
  std::string file = {};  // the store's path
};

// The store's newest run, or number N of "runs/NAME#N".
RunChoice choose_run(const std::string& run);
// Its results.
RunResult results_of(const std::string& run);

// A folder of run folders stands for all of them, by name; anything else for itself.
std::vector<std::string> run_folders(const std::string& place);

}  // namespace fedstein
