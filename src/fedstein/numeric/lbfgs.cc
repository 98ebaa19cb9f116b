// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

struct Pair {
  DoubleVector step;    // s
  DoubleVector change;  // y, of the gradient
  double curvature;     // s.y > 0
};

// - H gradient, H the inverse Hessian that the pairs stand for.
DoubleVector direction_of(const std::deque<Pair>& pairs, const DoubleVector& gradient) {
  DoubleVector d = -gradient;
  std::vector<double> shares(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    shares[i] = pairs[i].step.dot(d) / pairs[i].curvature;
    d -= shares[i] * pairs[i].change;
  }
  if (!pairs.empty()) d *= pairs.back().curvature / pairs.back().change.squaredNorm();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    d += (shares[i] - pairs[i].change.dot(d) / pairs[i].curvature) * pairs[i].step;
  }
  return d;
}

struct Point {
  DoubleVector x;
  DoubleVector gradient;
  double value;
};

// A point along d with enough descent and a flatter slope, if one is found; at least one that is lower.
bool search(const Objective& objective, const DoubleVector& d, double step, Point& point) {
  constexpr double kDescent = 1e-4;
  constexpr double kFlatter = 0.9;
  constexpr int kTrials = 40;
  const double slope = point.gradient.dot(d);
  double low = 0, high = std::numeric_limits<double>::infinity();
  Point best = point, trial = point;
  for (int i = 0; i < kTrials; ++i) {
    trial.x = point.x + step * d;
    trial.value = objective(trial.x, trial.gradient);
    const bool exists = std::isfinite(trial.value) && trial.gradient.allFinite();
    if (!exists || trial.value > point.value + kDescent * step * slope) {
      high = step;
    } else {
      if (trial.value < best.value) best = trial;
      if (trial.gradient.dot(d) >= kFlatter * slope) {
        point = trial;
        return true;
      }
      low = step;
    }
    step = std::isinf(high) ? 2 * step : (low + high) / 2;
  }
  const bool lower = best.value < point.value;
  point = best;
  return lower;
}

}  // namespace

LbfgsResult minimise(const Objective& objective, DoubleVector& x, const LbfgsOptions& options) {
  check_argument(options.memory >= 1, "minimise", [&] {
    return "memory is " + std::to_string(options.memory) + "; it must be at least 1";
  });
  check_positive("minimise", "first_step", options.first_step);
  Point point{x, DoubleVector::Zero(x.size()), 0};
  point.value = objective(x, point.gradient);
  check_argument(std::isfinite(point.value) && point.gradient.allFinite(), "minimise", "the start has no finite value");

  LbfgsResult result;
  std::deque<Pair> pairs;
  for (; result.steps < options.steps; ++result.steps) {
    const double largest = point.gradient.cwiseAbs().maxCoeff();
    result.converged = largest <= options.gradient_tolerance * std::max(1.0, std::abs(point.value));
    if (result.converged) break;
    DoubleVector d = direction_of(pairs, point.gradient);
    if (d.dot(point.gradient) >= 0) {  // rounding has spoilt the pairs
      pairs.clear();
      d = -point.gradient;
    }
    const double first = pairs.empty() ? std::min(1.0, options.first_step / largest) : 1.0;
    const Point before = point;
    if (!search(objective, d, first, point)) break;
    Pair pair{point.x - before.x, point.gradient - before.gradient, 0};
    pair.curvature = pair.step.dot(pair.change);
    if (pair.curvature > 1e-12 * pair.change.squaredNorm()) pairs.push_back(std::move(pair));
    if (static_cast<Index>(pairs.size()) > options.memory) pairs.pop_front();
  }
  result.value = point.value;
  x = point.x;
  return result;
}

}  // namespace fedstein
