// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/middle.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random_matrix.h"

namespace fedstein {
namespace {

// Held against a full sort: few values and many, spread over decades, with repeats, all equal.
RC_GTEST_PROP(SelectNeighbours, AreThoseOfTheSortedValues, ()) {
  const auto count = *rc::gen::oneOf(rc::gen::inRange<Index>(1, 300), rc::gen::inRange<Index>(300, 5000));
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  const auto decades = *rc::gen::inRange(0, 30);
  const auto distinct = *rc::gen::inRange<Index>(1, 5000);
  const Matrix drawn = random_matrix(1, count, seed);
  std::vector<Real> values(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    const auto power = static_cast<double>(drawn(0, i % distinct)) * decades;
    values[static_cast<std::size_t>(i)] = static_cast<Real>(std::pow(2.0, power));
  }
  if (*rc::gen::arbitrary<bool>()) values.front() = 0;
  const auto low = *rc::gen::inRange<Index>(0, count);
  const auto high = std::min(low + *rc::gen::inRange<Index>(0, 2), count - 1);
  std::vector<Real> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const Neighbours found = select_neighbours(values.data(), count, low, high);
  RC_ASSERT(found.low == static_cast<double>(sorted[static_cast<std::size_t>(low)]));
  RC_ASSERT(found.high == static_cast<double>(sorted[static_cast<std::size_t>(high)]));
}

}  // namespace
}  // namespace fedstein
