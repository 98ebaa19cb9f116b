// SPDX-License-Identifier: Apache-2.0
//
// A few rows at a time, which stay in the first-level cache, particle after particle with the rows side by side. One
// exponential per particle and row and one logarithm per row give everything:
//
//   p(y) = mean_n 1 / (1 + exp(-y w_n.x))     p(-y) = 1 - p(y)     log p(y)
//
// Where the label is so improbable that its probability nears what Real can hold, the logarithm is taken particle by
// particle in double instead.
#include "fedstein/model/logistic_forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "fedstein/numeric/lanes.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/row_products.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kPieceRows = 1024;                               // that a thread takes
constexpr Index kRows = 128;                                     // at a time; a whole number of registers
constexpr Real kLargestExponent = sizeof(Real) == 8 ? 700 : 80;  // its exponential is finite
// So far above exp(-kLargestExponent), where probabilities end, that particles which end there do not matter.
constexpr Real kImprobable = sizeof(Real) == 8 ? static_cast<Real>(1e-280) : 1e-27_r;

using Rows = Eigen::Array<Real, kRows, 1>;  // a value for each
using RowsMap = Eigen::Map<Rows, Eigen::Aligned64>;

// log( 1/N sum_n 1 / (1 + exp(-y w_n.x)) ) for a probability of any smallness.
double exact_log_density(const ConstMatrixRef& theta, bool intercept, const ConstRowRef& x, Real y) {
  std::array<double, kMostRowFactors> log_p{};
  for (Index n = 0; n < theta.rows(); ++n) {
    double margin = theta.row(n).head(x.size()).cast<double>().dot(x.cast<double>());
    if (intercept) margin += static_cast<double>(theta(n, x.size()));
    margin *= static_cast<double>(y);
    log_p[static_cast<std::size_t>(n)] = std::min(margin, 0.0) - std::log1p(std::exp(-std::abs(margin)));
  }
  const std::span<const double> values(log_p.data(), static_cast<std::size_t>(theta.rows()));
  return log_sum_exp(values) - std::log(static_cast<double>(theta.rows()));
}

// sums = sum_n 1 / (1 + exp(-y margins_n)), exponents bounded; what is no number stays none, which Eigen's min and max
// do not promise.
void add_up(Index particles, const Rows& y, Real* margins, Rows& sums) {
  sums.setZero();
  for (Index n = 0; n < particles; ++n) {
    RowsMap exponents(margins + n * kRows);
    for (Index i = 0; i < kRows; i += kLanes) {
      Lanes value = -load_lanes(y.data() + i) * load_lanes(exponents.data() + i);
      value = value > kLargestExponent ? broadcast(kLargestExponent) : value;
      value = value < -kLargestExponent ? broadcast(-kLargestExponent) : value;
      store_lanes(value, exponents.data() + i);
    }
    sums += (1 + exponents.exp()).inverse();
  }
}

struct Place {
  const ConstMatrixRef& theta;
  bool intercept;
  const RowFactors& factors;
  Forecast& result;
};

// At most kRows of them, which in the whole begin at `first`.
void forecast_rows(const Place& to, const Batch& rows, Index first) {
  const Index count = rows.rows();
  const Index particles = to.theta.rows();
  Scratch margins(particles, kRows);
  if (count < kRows) margins->setZero();
  row_products(to.factors, {rows.x.data(), count, rows.x.outerStride()}, margins->data(), kRows);
  Rows y = Rows::Ones();
  y.head(count) = rows.y.array();
  Rows of_label;
  add_up(particles, y, margins->data(), of_label);
  of_label /= static_cast<Real>(particles);  // summed first: particles that are all undecided give exactly one half
  const Rows log_of_label = of_label.log();
  const Rows of_other = 1 - of_label;
  Real* both = to.result.probabilities.data() + 2 * first;
  for (Index i = 0; i < count; ++i) {
    both[2 * i] = y(i) > 0 ? of_other(i) : of_label(i);
    both[2 * i + 1] = y(i) > 0 ? of_label(i) : of_other(i);
  }
  auto log_density = to.result.log_density.segment(first, count);
  log_density = log_of_label.head(count).matrix().template cast<double>();
  if ((of_label >= kImprobable).all()) return;
  for (Index i = 0; i < count; ++i) {
    if (of_label(i) >= kImprobable) continue;
    log_density(i) = exact_log_density(to.theta, to.intercept, rows.x.row(i), rows.y(i));
  }
}

}  // namespace

Forecast forecast_few_particles(const ConstMatrixRef& theta, bool intercept, const Batch& batch) {
  const Index inputs = batch.x.cols();
  Vector starts = Vector::Zero(theta.rows());
  if (intercept) starts = theta.col(inputs);
  const RowFactors factors(theta.leftCols(inputs), starts);
  Forecast result;
  result.probabilities.resize(batch.rows(), 2);
  result.log_density.resize(batch.rows());
  const Place to{theta, intercept, factors, result};
  parallel_for(batch.rows(), kPieceRows, [&](Index begin, Index end) {
    for (Index first = begin; first < end; first += kRows) {
      forecast_rows(to, batch.middle_rows(first, std::min(kRows, end - first)), first);
    }
  });
  return result;
}

}  // namespace fedstein
