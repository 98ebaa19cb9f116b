// SPDX-License-Identifier: Apache-2.0
//
// As in logistic_few.cc everything lies by data row, the particles side by side. One exponential per particle and row
// and one logarithm per row give both probabilities and the log density:
//
//   e_n = exp(-w_n.x)     p(+1) = mean_n 1 / (1 + e_n)     p(-1) = mean_n e_n / (1 + e_n)     log p(y)
//
// Where the label is so improbable that its probability nears what Real can hold, the logarithm is taken particle by
// particle in double instead.
#include "fedstein/model/logistic_forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/numeric/thin_product.h"

namespace fedstein {
namespace {

constexpr Index kRows = 1024;          // at a time; of 54 floats 216 KiB, half of a second-level cache
constexpr Real kLargestExponent = 80;  // its exponential is finite, and so is the inverse
constexpr double kImprobable = 1e-30;  // far above exp(-kLargestExponent), where probabilities end

using Side = Eigen::Array<Real, kNarrowColumns, 1>;  // a value for each particle
using SideMap = Eigen::Map<const Side>;
typedef Real Narrow __attribute__((vector_size(kNarrowColumns * sizeof(Real))));  // NOLINT: see numeric/lanes.h

// log( 1/N sum_n 1 / (1 + exp(-y w_n.x)) ) for a probability of any smallness.
double exact_log_density(const ConstMatrixRef& theta, bool intercept, const ConstRowRef& x, Real y) {
  std::array<double, kNarrowColumns> log_p{};
  for (Index n = 0; n < theta.rows(); ++n) {
    double margin = theta.row(n).head(x.size()).cast<double>().dot(x.cast<double>());
    if (intercept) margin += static_cast<double>(theta(n, x.size()));
    margin *= static_cast<double>(y);
    log_p[static_cast<std::size_t>(n)] = std::min(margin, 0.0) - std::log1p(std::exp(-std::abs(margin)));
  }
  const std::span<const double> values(log_p.data(), static_cast<std::size_t>(theta.rows()));
  return log_sum_exp(values) - std::log(static_cast<double>(theta.rows()));
}

// values_i = exp(-margin_i), margins bounded; what is no number stays none, which Eigen's min and max do not promise.
void to_exponentials(Index rows, Real* values) {
  for (Index i = 0; i < rows; ++i) {
    Narrow value;
    std::memcpy(&value, values + i * kNarrowColumns, sizeof value);
    value = value > kLargestExponent ? kLargestExponent - Narrow{} : value;
    value = value < -kLargestExponent ? -kLargestExponent - Narrow{} : value;
    value = -value;
    std::memcpy(values + i * kNarrowColumns, &value, sizeof value);
  }
  exp_in_place(values, rows * kNarrowColumns);
}

// What the particles agree on: probabilities (rows x 2) and, in of_label, that of each row's label.
void average(
    Index particles, const ConstVectorRef& y, const Real* exponentials, MatrixRef probabilities, VectorRef of_label) {
  Side share = Side::Zero();  // the columns beyond the particles count for nothing
  share.head(particles).setConstant(1 / static_cast<Real>(particles));
  for (Index i = 0; i < y.size(); ++i) {
    const SideMap e(exponentials + i * kNarrowColumns);
    const Side positive = share / (1 + e);
    probabilities(i, 1) = positive.sum();
    probabilities(i, 0) = (positive * e).sum();
    of_label(i) = probabilities(i, y(i) > 0 ? 1 : 0);
  }
}

}  // namespace

Forecast forecast_few_particles(const ConstMatrixRef& theta, bool intercept, const Batch& batch) {
  const Index particles = theta.rows();
  const Index inputs = batch.x.cols();
  Forecast result;
  result.probabilities.resize(batch.rows(), 2);
  result.log_density.resize(batch.rows());
  Matrix weights = Matrix::Zero(inputs, kNarrowColumns);
  weights.leftCols(particles) = theta.leftCols(inputs).transpose();
  Side starts = Side::Zero();
  if (intercept) starts.head(particles) = theta.col(inputs).array();

  parallel_for(batch.rows(), kRows, [&](Index begin, Index end) {
    const Batch rows = batch.middle_rows(begin, end - begin);
    Scratch margins(rows.rows(), kNarrowColumns);
    margins->rowwise() = starts.matrix().transpose();
    narrow_product({rows.x.data(), rows.rows(), rows.x.outerStride()}, inputs, weights.data(), margins->data());
    to_exponentials(rows.rows(), margins->data());
    Scratch label_scratch(rows.rows(), 1);
    Eigen::Map<Vector> of_label(label_scratch->data(), rows.rows());
    average(particles, rows.y, margins->data(), result.probabilities.middleRows(begin, rows.rows()), of_label);
    auto log_density = result.log_density.segment(begin, rows.rows());
    log_density = of_label.array().log().matrix().template cast<double>();
    for (Index i = 0; i < rows.rows(); ++i) {
      if (static_cast<double>(of_label(i)) >= kImprobable) continue;
      log_density(i) = exact_log_density(theta, intercept, rows.x.row(i), rows.y(i));
    }
  });
  return result;
}

}  // namespace fedstein
