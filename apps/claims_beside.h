// SPDX-License-Identifier: Apache-2.0
// The other column of the claims: what the runs folder holds of the same experiment with the other settings.
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/claims.h"

namespace fedstein {

struct ClaimsBeside {
  std::vector<ClaimResult> claims = {};
  std::string command = {};  // that made the run
};
// The claims of the folder's newest finished run, checked; none where there is no such run.
ClaimsBeside claims_in(const std::string& folder);

}  // namespace fedstein
