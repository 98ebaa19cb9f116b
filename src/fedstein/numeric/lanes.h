// SPDX-License-Identifier: Apache-2.0
// Vectors of Real as wide as the machine's registers, by the compilers' own vector extension: for the few inner loops
// whose shapes a matrix-product library handles badly. Not installed: part of no interface.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

#if defined(__AVX512F__)
inline constexpr int kLaneBytes = 64;
#elif defined(__AVX__)
inline constexpr int kLaneBytes = 32;
#else
inline constexpr int kLaneBytes = 16;
#endif
inline constexpr Index kLanes = kLaneBytes / static_cast<Index>(sizeof(Real));

// As many whole numbers as lanes, of the same width: what comparing lanes gives.
using LaneInteger = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
typedef Real Lanes __attribute__((vector_size(kLaneBytes)));            // NOLINT: the extension has no `using` form
typedef LaneInteger LaneMask __attribute__((vector_size(kLaneBytes)));  // NOLINT

// A register of any width, from and to memory that need not be aligned.
template <typename Register>
[[gnu::always_inline]] inline Register load_register(const Real* place) {
  Register out;
  std::memcpy(&out, place, sizeof out);
  return out;
}

template <typename Register>
[[gnu::always_inline]] inline void store_register(const Register& from, Real* place) {
  std::memcpy(place, &from, sizeof from);
}

inline Lanes load_lanes(const Real* place) {
  return load_register<Lanes>(place);
}

inline void store_lanes(const Lanes& lanes, Real* place) {
  store_register(lanes, place);
}

inline Lanes broadcast(Real value) {
  return value - Lanes{};
}

// All bits set in the last `count` lanes, 0 <= count <= kLanes.
inline LaneMask last_lanes(Index count) {
  LaneMask mask;
  for (Index i = 0; i < kLanes; ++i) mask[i] = i >= kLanes - count ? LaneInteger{-1} : LaneInteger{0};
  return mask;
}

inline Lanes keep(const LaneMask& mask, const Lanes& lanes) {
  return mask ? lanes : Lanes{};
}

namespace internal {

template <typename Register>
inline constexpr int kLanesOf = static_cast<int>(sizeof(Register) / sizeof(Real));

// Sums within segments: of the first vector into the lower half of each segment, of the second into the upper half.
template <typename Register, int kSegment, int... kLane>
[[gnu::always_inline]] inline Register fold(const Register& a,
                                            const Register& b,
                                            std::integer_sequence<int, kLane...>) {
  constexpr int kHalf = kSegment / 2;
  constexpr int kCount = kLanesOf<Register>;
  const Register low = __builtin_shufflevector(
      a, b, (kLane / kSegment * kSegment + kLane % kHalf + (kLane % kSegment < kHalf ? 0 : kCount))...);
  const Register high = __builtin_shufflevector(
      a, b, (kLane / kSegment * kSegment + kLane % kHalf + kHalf + (kLane % kSegment < kHalf ? 0 : kCount))...);
  return low + high;
}

template <typename Register, int kSegment>
[[gnu::always_inline]] inline Register fold_all(Register* sums) {
  if constexpr (kSegment == 1) {
    return sums[0];
  } else {
    constexpr int kHalf = kSegment / 2;
#pragma GCC unroll 16
    for (int i = 0; i < kHalf; ++i) {
      sums[i] =
          fold<Register, kSegment>(sums[i], sums[i + kHalf], std::make_integer_sequence<int, kLanesOf<Register>>{});
    }
    return fold_all<Register, kHalf>(sums);
  }
}

}  // namespace internal

// Lane i of the result is the sum of all lanes of sums[i]; overwrites the vectors, of which there are as many as lanes.
template <typename Register>
[[gnu::always_inline]] inline Register lane_sums(Register* sums) {
  return internal::fold_all<Register, internal::kLanesOf<Register>>(sums);
}

// Calls body(k) for every register of `columns` >= kLanes columns, the last one overlapping the one before it: for
// bodies that write what depends on their inputs alone, so that a second time does no harm.
template <typename Body>
[[gnu::always_inline]] inline void for_registers(Index columns, const Body& body) {
  Index k = 0;
  for (; k + kLanes <= columns; k += kLanes) body(k);
  if (k < columns) body(columns - kLanes);
}

}  // namespace fedstein
