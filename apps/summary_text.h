// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fedstein/posterior/summary.h"

namespace fedstein {

// Tables for people. Without a summary (a network) the columns alone.
std::string summary_text(const std::optional<PosteriorSummary>& summary, const Posterior& posterior, bool rich);
std::string summary_json(const std::optional<PosteriorSummary>& summary, const Posterior& posterior);

}  // namespace fedstein
