// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/softmax_weights.h"

#include <limits>

#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kValuesPerPiece = 1 << 15;
constexpr Real kNegligible = std::numeric_limits<Real>::epsilon() * std::numeric_limits<Real>::epsilon();
constexpr Real kFarAway = -1000;  // an exponent that no weight survives

using Values = Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>>;

// The nearest gets 0, the others what they are further away, in units of h and downwards.
void to_exponents(double h, Values values) {
  const Real nearest = values.minCoeff();
  if (h < static_cast<double>(std::numeric_limits<Real>::min())) {
    values = (values == nearest).select(Real{0}, Values::PlainObject::Constant(1, values.size(), kFarAway));
  } else {
    values = (values - nearest) * static_cast<Real>(-1 / h);
  }
}

void to_weights(Values values) {
  values = (values < kNegligible).select(Real{0}, values);
  values *= static_cast<Real>(1 / sum_of(values.data(), values.size()));
}

}  // namespace

void softmax_weights(std::span<const SoftmaxGroup> groups, MatrixRef r2) {
  const Index columns = r2.cols();
  parallel_for(r2.rows(), pieces(kValuesPerPiece, columns), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Real* row = r2.row(i).data();
      for (const SoftmaxGroup& group : groups) to_exponents(group.h, Values(row + group.begin, group.count));
    }
    if (r2.outerStride() == columns) {
      exp_in_place(r2.row(begin).data(), (end - begin) * columns);  // short rows together fill registers
    } else {
      for (Index i = begin; i < end; ++i) exp_in_place(r2.row(i).data(), columns);
    }
    for (Index i = begin; i < end; ++i) {
      Real* row = r2.row(i).data();
      for (const SoftmaxGroup& group : groups) to_weights(Values(row + group.begin, group.count));
    }
  });
}

void softmax_weights(double h, MatrixRef r2) {
  const SoftmaxGroup all{0, r2.cols(), h};
  softmax_weights({&all, 1}, r2);
}

}  // namespace fedstein
