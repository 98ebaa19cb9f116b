// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/collapse.h"

#include <cmath>
#include <limits>
#include <vector>

#include "fedstein/base/upper_median.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
CollapseReport diagnose_collapse(const ConstMatrixRef& x, const ConstMatrixRef& scores, double threshold) {
  check_not_empty("diagnose_collapse", "x", x);
  check_same_shape("diagnose_collapse", "scores", scores, "x", x);
  check_finite("diagnose_collapse", "x", x);
  check_finite("diagnose_collapse", "scores", scores);
  check_positive("diagnose_collapse", "threshold", threshold);
  const auto n = static_cast<double>(x.rows());

  CollapseReport report;
  report.variance.resize(x.cols());
  report.implied.resize(x.cols());
  report.ratio.resize(x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    const DoubleVector column = x.col(i).cast<double>();
    const DoubleVector centred = column.array() - column.mean();
    const double variance = centred.squaredNorm() / n;
    // Stein's identity has nothing to weigh in one particle.
    const double ratio = x.rows() == 1 ? 1 : -centred.dot(scores.col(i).cast<double>()) / n;
    report.variance(i) = variance;
    report.ratio(i) = ratio;
    report.implied(i) = ratio > 0 ? variance / ratio : std::numeric_limits<double>::infinity();
  }
  report.median_ratio = upper_median({report.ratio.begin(), report.ratio.end()});
  report.collapsed = std::abs(report.median_ratio) < threshold;
  return report;
}

}  // namespace fedstein
