// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/particle_blob.h"

#include <bit>
#include <cstring>
#include <string>

#include "fedstein/store/run_facts.h"

namespace fedstein {
namespace {

static_assert(std::endian::native == std::endian::little, "stored numbers are little-endian");

template <typename Number>
Particles converted(std::string_view bytes, Index rows, Index columns) {
  Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> numbers(rows, columns);
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers.template cast<Real>();
}

// Without a product that could overflow: the bytes that are there bound everything.
bool shape_fits(const ParticleShape& shape, std::size_t bytes) {
  const bool known = shape.number_bytes == sizeof(float) || shape.number_bytes == sizeof(double);
  if (!known || shape.rows < 0 || shape.columns < 0) return false;
  if (shape.rows == 0 || shape.columns == 0) return bytes == 0;
  const std::size_t row_bytes = bytes / static_cast<std::size_t>(shape.rows);
  return row_bytes * static_cast<std::size_t>(shape.rows) == bytes &&
         row_bytes % static_cast<std::size_t>(shape.number_bytes) == 0 &&
         row_bytes / static_cast<std::size_t>(shape.number_bytes) == static_cast<std::size_t>(shape.columns);
}

}  // namespace

std::string_view bytes_of(const Particles& particles) {
  return {reinterpret_cast<const char*>(particles.data()), static_cast<std::size_t>(particles.size()) * sizeof(Real)};
}

Particles particles_from(std::string_view bytes, const ParticleShape& shape) {
  if (!shape_fits(shape, bytes.size())) {
    throw StoreError("the store is damaged: particles of " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.columns) + " numbers of " + std::to_string(shape.number_bytes) +
                     " bytes have " + std::to_string(bytes.size()) + " bytes");
  }
  return shape.number_bytes == sizeof(float) ? converted<float>(bytes, shape.rows, shape.columns)
                                             : converted<double>(bytes, shape.rows, shape.columns);
}

}  // namespace fedstein
