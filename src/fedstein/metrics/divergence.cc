// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/metrics/arguments.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_grid(const char* function, const UniformGrid& grid) {
  check_argument(grid.cells >= 1, function, "grid.cells is " + std::to_string(grid.cells) + "; it must be at least 1");
  check_argument(std::isfinite(grid.low) && std::isfinite(grid.high) && grid.low < grid.high,
                 function,
                 "grid goes from " + to_text(grid.low) + " to " + to_text(grid.high) +
                     "; both ends must be finite, the first below the second");
}

double log_sum(const Eigen::Ref<const DoubleVector>& values) {
  return log_sum_exp(std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

void check_log_density(const char* function, const char* argument, const Eigen::Ref<const DoubleVector>& values) {
  check_no_nan(function, argument, values);
  Index row = 0;
  const double largest = values.maxCoeff(&row);
  check_argument(largest < kInfinity,
                 function,
                 std::string(argument) + " holds inf in row " + std::to_string(row) + "; it must be finite or -inf");
  check_argument(largest > -kInfinity,
                 function,
                 std::string(argument) + " is -inf in all " + std::to_string(values.size()) +
                     " rows; the density must be above 0 somewhere on the grid");
}

double kl_of_normalised(const DoubleVector& log_q, const DoubleVector& log_p) {
  double sum = 0;
  for (Index i = 0; i < log_q.size(); ++i) {
    if (log_q(i) == -kInfinity) continue;
    if (log_p(i) == -kInfinity) return kInfinity;
    sum += std::exp(log_q(i)) * (log_q(i) - log_p(i));
  }
  return std::max(sum, 0.0);
}

DoubleVector values_on_grid(const std::function<double(double, double)>& function,
                            const UniformGrid& first,
                            const UniformGrid& second) {
  DoubleVector out(first.cells * second.cells);
  for (Index i = 0; i < first.cells; ++i) {
    for (Index j = 0; j < second.cells; ++j) out(i * second.cells + j) = function(first.point(i), second.point(j));
  }
  return out;
}

}  // namespace

Matrix grid_points(const UniformGrid& grid) {
  check_grid("grid_points", grid);
  Matrix out(grid.cells, 1);
  for (Index i = 0; i < grid.cells; ++i) out(i, 0) = static_cast<Real>(grid.point(i));
  return out;
}

Matrix grid_points(const UniformGrid& first, const UniformGrid& second) {
  check_grid("grid_points", first);
  check_grid("grid_points", second);
  Matrix out(first.cells * second.cells, 2);
  for (Index i = 0; i < first.cells; ++i) {
    for (Index j = 0; j < second.cells; ++j) {
      out(i * second.cells + j, 0) = static_cast<Real>(first.point(i));
      out(i * second.cells + j, 1) = static_cast<Real>(second.point(j));
    }
  }
  return out;
}

double log_mass(const Eigen::Ref<const DoubleVector>& log_density, double cell_size) {
  check_no_nan("log_mass", "log_density", log_density);
  check_positive("log_mass", "cell_size", cell_size);
  return log_sum(log_density) + std::log(cell_size);
}

KlPair kl_on_grid(const Eigen::Ref<const DoubleVector>& log_q, const Eigen::Ref<const DoubleVector>& log_p) {
  constexpr const char* kWho = "kl_on_grid";
  check_log_density(kWho, "log_q", log_q);
  check_rows(kWho, "log_p", log_p.size(), log_q.size());
  check_log_density(kWho, "log_p", log_p);
  const DoubleVector q = log_q.array() - log_sum(log_q);
  const DoubleVector p = log_p.array() - log_sum(log_p);
  return {kl_of_normalised(q, p), kl_of_normalised(p, q)};
}

KlPair kl_divergence(const std::function<double(double)>& log_q,
                     const std::function<double(double)>& log_p,
                     const UniformGrid& grid) {
  check_grid("kl_divergence", grid);
  DoubleVector q(grid.cells);
  DoubleVector p(grid.cells);
  for (Index i = 0; i < grid.cells; ++i) {
    q(i) = log_q(grid.point(i));
    p(i) = log_p(grid.point(i));
  }
  return kl_on_grid(q, p);
}

KlPair kl_divergence(const std::function<double(double, double)>& log_q,
                     const std::function<double(double, double)>& log_p,
                     const UniformGrid& first,
                     const UniformGrid& second) {
  check_grid("kl_divergence", first);
  check_grid("kl_divergence", second);
  return kl_on_grid(values_on_grid(log_q, first, second), values_on_grid(log_p, first, second));
}

}  // namespace fedstein
