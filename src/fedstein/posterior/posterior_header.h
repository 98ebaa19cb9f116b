// SPDX-License-Identifier: Apache-2.0
// The header of a posterior file: JSON, so that `head -c` shows people what they have.
#pragma once

#include <string>
#include <string_view>

#include "fedstein/posterior/posterior.h"

namespace fedstein {

struct PosteriorHeader {
  Posterior posterior = {};  // without its particles and its covariance
  std::uint64_t particles = 0;
  std::uint64_t dimension = 0;
  std::uint64_t number_bytes = 0;  // 4 or 8
  bool has_covariance = false;
};

std::string header_text(const Posterior& posterior);
// Throws InvalidArgument for what no header_text() wrote. Sizes are believed by nobody yet.
PosteriorHeader header_from(std::string_view text, const Registry& registry);

}  // namespace fedstein
