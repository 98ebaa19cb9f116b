// SPDX-License-Identifier: Apache-2.0
// What the three forms share.
#pragma once

#include <set>
#include <string>

#include "fedstein/store/run_store.h"

namespace fedstein {

// The run's facts; StoreError when the store has no such run.
StoredRun exported_run(const RunStore& store, RunId run);

// As a JSON object.
std::string run_as_json(const StoredRun& run);

// Every figure that any round of the run has.
std::set<std::string> figure_names(const RunStore& store, const std::vector<StoredJob>& jobs);

// Shortest text that reads back as the same number; nan, inf, -inf.
std::string number_text(double value);

}  // namespace fedstein
