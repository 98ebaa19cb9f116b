// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/elementwise.h"

#include <algorithm>

#include "fedstein/numeric/lanes.h"

namespace fedstein {

void exp_in_place(Real* values, Index count) {
  const Index whole = count / kLanes * kLanes;
  Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>> front(values, whole);
  front = front.exp();
  if (whole == count) return;
  Eigen::Array<Real, kLanes, 1> rest = Eigen::Array<Real, kLanes, 1>::Zero();
  std::copy(values + whole, values + count, rest.data());
  rest = rest.exp().eval();
  std::copy_n(rest.data(), count - whole, values + whole);
}

double sum_of(const Real* values, Index count) {
  constexpr Index kStrands = 8;  // independent sums, so that no addition waits for the one before
  double strands[kStrands] = {};
  Index i = 0;
  for (; i + kStrands <= count; i += kStrands) {
    for (Index k = 0; k < kStrands; ++k) strands[k] += static_cast<double>(values[i + k]);
  }
  double sum = 0;
  for (; i < count; ++i) sum += static_cast<double>(values[i]);
  for (const double strand : strands) sum += strand;
  return sum;
}

}  // namespace fedstein
