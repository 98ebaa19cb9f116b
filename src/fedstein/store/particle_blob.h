// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// The numbers of a matrix as they lie in memory: row by row, little-endian.
std::string_view bytes_of(const Particles& particles);

struct ParticleShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t number_bytes = 0;  // 4 or 8
};

// The particles in this build's precision, whichever wrote them. Throws StoreError unless shape and bytes agree.
Particles particles_from(std::string_view bytes, const ParticleShape& shape);

}  // namespace fedstein
