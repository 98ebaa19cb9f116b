// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/trend.h"

#include <algorithm>
#include <cmath>

namespace fedstein {
namespace {

// Student's t, its central 95 %, within a tenth: a line through four points is easily steep by chance.
double deviations_of_95(double freedom) {
  return 1.96 + 4.5 / freedom;
}

}  // namespace

Curve curve_of(const std::vector<RoundRecord>& records, const std::string& figure, double sign) {
  Curve out;
  for (const RoundRecord& record : records) {
    const auto found = record.figures.find(figure);
    if (found != record.figures.end()) out.push_back({record.round, sign * found->second});
  }
  return out;
}

std::optional<double> last_of(const std::vector<RoundRecord>& records, const std::string& figure) {
  const Curve curve = curve_of(records, figure);
  if (curve.empty()) return std::nullopt;
  return curve.back().value;
}

std::size_t tail_size(std::size_t points) {
  return std::min(points, std::max<std::size_t>(4, (points + 4) / 5));
}

Trend trend_of(const Curve& curve, std::size_t points) {
  const Curve tail(curve.end() - static_cast<std::ptrdiff_t>(points), curve.end());
  const auto n = static_cast<double>(points);
  double centre = 0;
  Trend out{.rounds = tail.back().round - tail.front().round};
  for (const CurvePoint& point : tail) {
    centre += static_cast<double>(point.round) / n;
    out.level += point.value / n;
  }
  double squares = 0;
  double products = 0;
  for (const CurvePoint& point : tail) {
    const double place = static_cast<double>(point.round) - centre;
    squares += place * place;
    products += place * (point.value - out.level);
  }
  if (squares <= 0 || points < 3) return out;
  out.per_round = products / squares;
  double residuals = 0;
  for (const CurvePoint& point : tail) {
    const double line = out.level + out.per_round * (static_cast<double>(point.round) - centre);
    residuals += (point.value - line) * (point.value - line);
  }
  const double variance = residuals / (n - 2);
  out.uncertainty = deviations_of_95(n - 2) * std::sqrt(variance / squares);
  out.noise = std::sqrt(variance / n);
  return out;
}

double window_mean(const Curve& curve, std::size_t begin, std::size_t points) {
  double sum = 0;
  for (std::size_t i = begin; i < begin + points; ++i) sum += curve[i].value;
  return sum / static_cast<double>(points);
}

std::size_t best_window(const Curve& curve, std::size_t points) {
  std::size_t best = 0;
  double most = window_mean(curve, 0, points);
  for (std::size_t begin = 1; begin + points <= curve.size(); ++begin) {
    const double mean = window_mean(curve, begin, points);
    if (mean <= most) continue;
    most = mean;
    best = begin;
  }
  return best;
}

}  // namespace fedstein
