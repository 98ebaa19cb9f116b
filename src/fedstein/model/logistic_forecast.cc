// SPDX-License-Identifier: Apache-2.0
//
// As in logistic_few.cc everything lies by data row, the particles side by side. One exponential per particle and row
// and one logarithm per row give everything:
//
//   p(y) = mean_n 1 / (1 + exp(-y w_n.x))     p(-y) = 1 - p(y)     log p(y)
//
// Where the label is so improbable that its probability nears what Real can hold, the logarithm is taken particle by
// particle in double instead.
#include "fedstein/model/logistic_forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kRows = 1024;  // at a time; of 54 floats 216 KiB, half of a second-level cache
constexpr Real kLargestExponent = sizeof(Real) == 8 ? 700 : 80;  // its exponential is finite
// So far above exp(-kLargestExponent), where probabilities end, that particles which end there do not matter.
constexpr Real kImprobable = sizeof(Real) == 8 ? static_cast<Real>(1e-280) : 1e-27_r;

constexpr Index kTileRows = 8;  // that narrow_product takes at a time
constexpr std::uintptr_t kAheadBytes = 4096;
constexpr std::uintptr_t kLineBytes = 64;

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

// margins += x weights. Eight short rows at a time are no stream that the processor would foresee: what comes a page
// later is asked for meanwhile.
void add_margins(const ConstMatrixRef& x, const Matrix& weights, Real* margins) {
  for (Index i = 0; i < x.rows(); i += kTileRows) {
    const RowSet rows{x.data() + i * x.outerStride(), std::min(kTileRows, x.rows() - i), x.outerStride()};
    const auto ahead = reinterpret_cast<std::uintptr_t>(rows.data) + kAheadBytes;
    const auto bytes = static_cast<std::uintptr_t>(rows.count * rows.stride) * sizeof(Real);
    for (std::uintptr_t line = 0; line < bytes; line += kLineBytes) {
      __builtin_prefetch(reinterpret_cast<const void*>(ahead + line));  // may lie behind the end: nothing is read there
    }
    narrow_product(rows, x.cols(), weights.data(), margins + i * kNarrowColumns);
  }
}

// values_i = exp(-y_i margin_i), bounded; what is no number stays none, which Eigen's min and max do not promise.
void to_exponentials(const ConstVectorRef& y, Real* values) {
  for (Index i = 0; i < y.size(); ++i) {
    Narrow value;
    std::memcpy(&value, values + i * kNarrowColumns, sizeof value);
    value *= -y(i);
    value = value > kLargestExponent ? kLargestExponent - Narrow{} : value;
    value = value < -kLargestExponent ? -kLargestExponent - Narrow{} : value;
    std::memcpy(values + i * kNarrowColumns, &value, sizeof value);
  }
  exp_in_place(values, y.size() * kNarrowColumns);
}

// The probability of each row's label, and with it of both classes. Summed first and divided then: particles that are
// all undecided give exactly one half, a tie.
void average(Index particles, const ConstVectorRef& y, const Real* exponentials, VectorRef of_label, MatrixRef both) {
  Side counts = Side::Zero();  // the columns beyond the particles do not
  counts.head(particles).setOnes();
  for (Index i = 0; i < y.size(); ++i) {
    const Side e = SideMap(exponentials + i * kNarrowColumns);
    const Real p = (counts / (1 + e)).sum() / static_cast<Real>(particles);
    const Index label = y(i) > 0 ? 1 : 0;
    of_label(i) = p;
    both(i, label) = p;
    both(i, 1 - label) = 1 - p;
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
    for (Index i = 0; i < rows.rows(); ++i) Eigen::Map<Side>(margins->data() + i * kNarrowColumns) = starts;
    add_margins(rows.x, weights, margins->data());
    to_exponentials(rows.y, margins->data());
    Scratch label_scratch(2, rows.rows());
    Eigen::Map<Vector> of_label(label_scratch->data(), rows.rows());
    Eigen::Map<Vector> log_of_label(label_scratch->data() + rows.rows(), rows.rows());
    average(particles, rows.y, margins->data(), of_label, result.probabilities.middleRows(begin, rows.rows()));
    log_of_label.array() = of_label.array().log();  // by itself: with the cast it would go number by number
    auto log_density = result.log_density.segment(begin, rows.rows());
    log_density = log_of_label.template cast<double>();
    for (Index i = 0; i < rows.rows(); ++i) {
      if (of_label(i) >= kImprobable) continue;
      log_density(i) = exact_log_density(theta, intercept, rows.x.row(i), rows.y(i));
    }
  });
  return result;
}

}  // namespace fedstein
