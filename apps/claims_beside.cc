// SPDX-License-Identifier: Apache-2.0
#include "claims_beside.h"

#include <algorithm>
#include <filesystem>

#include "fedstein/experiment/results.h"

namespace fedstein {

ClaimsBeside claims_in(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / kStoreName;
  if (!std::filesystem::exists(path)) return {};
  const RunStore store(path.string(), RunStore::Mode::kRead);
  const std::vector<StoredRun> runs = store.runs();
  // One that was broken off would fail every claim, for no fault of the method.
  const auto newest =
      std::find_if(runs.rbegin(), runs.rend(), [](const StoredRun& run) { return !run.finished.empty(); });
  if (newest == runs.rend()) return {};
  return {check_claims(load_results(store, newest->id)), newest->facts.command};
}

}  // namespace fedstein
