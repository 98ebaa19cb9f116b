// SPDX-License-Identifier: Apache-2.0
//
// Numbers that are not negative sort as their bits do. So one pass counts how many fall into each eighth of a power of
// two, which tells the bin of the wanted place; a second pass gathers that bin; and only its few numbers are searched.
// Three times as fast as searching all of them, from some hundred on.
#include "fedstein/numeric/middle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace fedstein {
namespace {

using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

constexpr int kMantissaBits = std::numeric_limits<Real>::digits - 1;
constexpr int kShift = kMantissaBits - 3;                                         // eighths of a power of two
constexpr std::size_t kBins = std::size_t{1} << (sizeof(Real) * 8 - 1 - kShift);  // without the sign
constexpr Index kFew = 256;

std::size_t bin_of(Real value) {
  return static_cast<std::size_t>(std::bit_cast<Bits>(value) >> kShift) & (kBins - 1);
}

// Among few values, directly.
Neighbours search(Real* values, Index count, Index low, Index high) {
  std::nth_element(values, values + high, values + count);
  const Real at_high = values[high];
  const Real at_low = low == high ? at_high : *std::max_element(values, values + high);
  return {static_cast<double>(at_low), static_cast<double>(at_high)};
}

}  // namespace

Neighbours select_neighbours(Real* values, Index count, Index low, Index high) {
  if (count <= kFew) return search(values, count, low, high);

  // Two counters a bin, so that neighbours in one bin do not wait for each other.
  static thread_local std::array<std::array<std::uint32_t, kBins>, 2> counts;
  for (auto& half : counts) half.fill(0);
  for (Index i = 0; i + 1 < count; i += 2) {
    ++counts[0][bin_of(values[i])];
    ++counts[1][bin_of(values[i + 1])];
  }
  if (count % 2 != 0) ++counts[0][bin_of(values[count - 1])];

  std::size_t bin = 0;
  Index before = 0;
  while (true) {
    const Index here = Index{counts[0][bin]} + Index{counts[1][bin]};
    if (high < before + here) break;
    before += here;
    ++bin;
  }

  // The bin's numbers to the front; with `low` in an earlier bin, the largest before it.
  Index gathered = 0;
  Real largest_before = 0;
  for (Index i = 0; i < count; ++i) {
    const Real value = values[i];
    const std::size_t its = bin_of(value);
    if (its < bin) largest_before = std::max(largest_before, value);
    values[gathered] = value;
    gathered += its == bin ? 1 : 0;
  }
  if (low < before) {
    const Real smallest = *std::min_element(values, values + gathered);
    return {static_cast<double>(largest_before), static_cast<double>(smallest)};
  }
  return search(values, gathered, low - before, high - before);
}

}  // namespace fedstein
