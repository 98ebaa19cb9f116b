// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// A kink of this share of the tolerance bends the quotient by about the tolerance.
constexpr double kRough = 0.25;

// Differences along one coordinate, one entry per point.
struct Differences {
  DoubleVector slope;      // of the log density
  DoubleVector roughness;  // how far slopes over h and 2h, and bends over h and 2h, are from those of a smooth function
};

// (f(x-2h) - 8 f(x-h) + 8 f(x+h) - f(x+2h)) / 12h errs by h^4 and by rounding / h, so h = eps^(1/5) balances both.
Differences differences(const LogDensity& log_density, const ConstMatrixRef& points, Index coordinate) {
  const double relative = std::pow(static_cast<double>(std::numeric_limits<Real>::epsilon()), 0.2);
  const double largest = static_cast<double>(points.col(coordinate).cwiseAbs().maxCoeff());
  // A power of two, so that the shifted points are as exact as the points.
  const double h = std::exp2(std::floor(std::log2(relative * std::max(1.0, largest))));
  const auto at = [&](double shift) {
    Matrix moved = points;
    moved.col(coordinate).array() += static_cast<Real>(shift);
    return log_density(moved);
  };
  const DoubleVector far_left = at(-2 * h);
  const DoubleVector left = at(-h);
  const DoubleVector middle = at(0);
  const DoubleVector right = at(h);
  const DoubleVector far_right = at(2 * h);
  const DoubleVector slopes = (right - left) / (2 * h) - (far_right - far_left) / (4 * h);
  const DoubleVector bends = (far_right + far_left - 2 * middle - 4 * (right + left - 2 * middle)) / h;
  return {(far_left - 8 * left + 8 * right - far_right) / (12 * h), slopes.cwiseAbs().cwiseMax(bends.cwiseAbs())};
}

}  // namespace

GradientReport check_gradient(const LogDensity& log_density,
                              const Score& score,
                              const ConstMatrixRef& points,
                              const GradientCheckOptions& options) {
  check_not_empty("check_gradient", "points", points);
  check_finite("check_gradient", "points", points);
  check_argument(options.most_coordinates >= 1, "check_gradient", "options.most_coordinates must be at least 1");
  Matrix scores = Matrix::Zero(points.rows(), points.cols());
  score.add(points, 0, 1.0, scores);

  GradientReport report;
  Index kinks = 0;
  const double scale = std::max(1.0, static_cast<double>(scores.cwiseAbs().maxCoeff()));
  const Index count = std::min(points.cols(), options.most_coordinates);
  for (Index k = 0; k < count; ++k) {
    const Index coordinate = k * points.cols() / count;
    const auto [expected, roughness] = differences(log_density, points, coordinate);
    for (Index n = 0; n < points.rows(); ++n) {
      if (options.skip_kinks && roughness(n) > kRough * options.tolerance * scale) {
        ++kinks;
        continue;
      }
      const auto found = static_cast<double>(scores(n, coordinate));
      const double gap = std::abs(found - expected(n)) / scale;
      const double error = std::isfinite(gap) ? gap : std::numeric_limits<double>::infinity();
      if (error < report.error || (error == report.error && k + n > 0)) continue;
      report = {error <= options.tolerance, error, n, coordinate, found, expected(n), 0, {}};
    }
  }
  report.kinks = kinks;
  if (2 * kinks > count * points.rows()) {
    report.agrees = false;
    report.message = "the log density has a kink at " + std::to_string(kinks) + " of " +
                     std::to_string(count * points.rows()) + " values; the check needs smoother points";
    return report;
  }
  if (!report.agrees) {
    report.message = "score of particle " + std::to_string(report.particle) + " in coordinate " +
                     std::to_string(report.coordinate) + " is " + to_text(report.score) +
                     ", the log density's difference quotient " + to_text(report.difference) + ": off by " +
                     to_text(report.error) + " of the largest score, allowed " + to_text(options.tolerance);
  }
  return report;
}

}  // namespace fedstein
