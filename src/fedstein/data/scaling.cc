// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/scaling.h"

#include <algorithm>
#include <cmath>

#include "fedstein/base/counted.h"
#include "fedstein/data/error.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using DoubleRow = Eigen::RowVectorXd;

// Features and target of one row, in double.
void load_row(const Dataset& dataset, Index row, DoubleVector& out) {
  const Index features = dataset.x.cols();
  out.head(features) = dataset.x.row(row).transpose().cast<double>();
  out(features) = static_cast<double>(dataset.y(row));
}

bool is_constant(double low, double high) {
  return high - low <= kConstantTolerance * std::max(std::abs(low), std::abs(high));
}

double deviation(const ColumnStatistics& statistics, Index column) {
  return std::sqrt(statistics.squares(column) / static_cast<double>(statistics.count - 1));
}

}  // namespace

ColumnStatistics column_statistics(const Dataset& dataset, std::span<const Index> rows) {
  check_rows("column_statistics", rows, dataset.x.rows());
  check_argument(
      dataset.y.size() == dataset.x.rows(), "column_statistics", dataset.name + " must have one label a row");
  const Index columns = dataset.x.cols() + 1;
  ColumnStatistics out;
  out.count = static_cast<Index>(rows.size());
  out.mean = DoubleVector::Zero(columns);
  out.squares = DoubleVector::Zero(columns);
  out.low = DoubleVector::Zero(columns);
  out.high = DoubleVector::Zero(columns);
  if (rows.empty()) return out;

  DoubleVector values(columns);
  load_row(dataset, rows.front(), out.low);
  out.high = out.low;
  for (const Index row : rows) {
    load_row(dataset, row, values);
    out.mean += values;
    out.low = out.low.cwiseMin(values);
    out.high = out.high.cwiseMax(values);
  }
  out.mean /= static_cast<double>(out.count);
  for (const Index row : rows) {
    load_row(dataset, row, values);
    out.squares += (values - out.mean).cwiseAbs2();
  }
  return out;
}

// Chan, Golub and LeVeque (1979): no difference of large sums.
ColumnStatistics merge(const ColumnStatistics& a, const ColumnStatistics& b) {
  check_argument(a.mean.size() == b.mean.size(),
                 "merge",
                 "statistics of " + std::to_string(a.mean.size()) + " and of " + counted(b.mean.size(), "column") +
                     " are given; both must have the same columns");
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const double rows_a = static_cast<double>(a.count);
  const double rows_b = static_cast<double>(b.count);
  const double rows_both = rows_a + rows_b;
  const DoubleVector difference = b.mean - a.mean;
  return {a.count + b.count,
          a.mean + difference * (rows_b / rows_both),
          a.squares + b.squares + difference.cwiseAbs2() * (rows_a * rows_b / rows_both),
          a.low.cwiseMin(b.low),
          a.high.cwiseMax(b.high)};
}

Scaling make_scaling(ScalingRule rule, LabelKind labels, const ColumnStatistics& statistics) {
  const Index features = statistics.mean.size() - 1;
  Scaling out{rule, DoubleVector::Zero(features), DoubleVector::Ones(features)};
  if (rule == ScalingRule::kNone) return out;
  if (rule == ScalingRule::kPixel) {
    out.spread.setConstant(255 / 0.99);
    out.shift.setConstant(-0.01 * 255 / 0.99);
    return out;
  }
  check_argument(rule != ScalingRule::kFixed, "make_scaling", "fixed numbers are given, not fitted");
  check_argument(statistics.count >= 1, "make_scaling", "the statistics are of 0 rows; at least one row must be seen");
  for (Index column = 0; column < features; ++column) {
    const bool standardise = rule == ScalingRule::kStandardise;
    out.shift(column) = standardise ? statistics.mean(column) : statistics.low(column);
    if (is_constant(statistics.low(column), statistics.high(column))) continue;
    out.spread(column) = standardise ? deviation(statistics, column) : statistics.high(column) - statistics.low(column);
  }
  if (rule == ScalingRule::kStandardise && labels == LabelKind::kRegression) {
    out.target_shift = statistics.mean(features);
    const bool constant = is_constant(statistics.low(features), statistics.high(features));
    if (!constant) out.target_spread = deviation(statistics, features);
  }
  return out;
}

Scaling make_scaling(const GivenScaling& given, Index features, const std::string& whose) {
  for (const std::vector<double>* numbers : {&given.shift, &given.spread}) {
    if (static_cast<Index>(numbers->size()) == features) continue;
    throw DataError(whose + ": has " + counted(features, "feature") + "; data." +
                    (numbers == &given.shift ? "shift" : "spread") + " has " + counted(numbers->size(), "number") +
                    ", and must have as many");
  }
  Scaling out{ScalingRule::kFixed, DoubleVector::Zero(features), DoubleVector::Ones(features)};
  std::copy(given.shift.begin(), given.shift.end(), out.shift.begin());
  std::copy(given.spread.begin(), given.spread.end(), out.spread.begin());
  out.target_shift = given.target_shift;
  out.target_spread = given.target_spread;
  return out;
}

Scaling fit_scaling(ScalingRule rule, const Dataset& dataset, std::span<const Index> rows) {
  return make_scaling(rule, dataset.labels, column_statistics(dataset, rows));
}

void apply_scaling(const Scaling& scaling, MatrixRef x) {
  check_columns("apply_scaling", "x", x, scaling.shift.size());
  if (scaling.rule == ScalingRule::kNone) return;
  const DoubleRow shift = scaling.shift.transpose();
  const DoubleRow spread = scaling.spread.transpose();
  for (Index row = 0; row < x.rows(); ++row) {
    x.row(row) = ((x.row(row).cast<double>() - shift).cwiseQuotient(spread)).cast<Real>();
  }
}

void apply_scaling(const Scaling& scaling, Dataset& dataset) {
  apply_scaling(scaling, dataset.x);
  if (scaling.target_shift == 0 && scaling.target_spread == 1) return;
  dataset.y = ((dataset.y.cast<double>().array() - scaling.target_shift) / scaling.target_spread).matrix().cast<Real>();
}

}  // namespace fedstein
