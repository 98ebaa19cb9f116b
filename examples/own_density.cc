// SPDX-License-Identifier: Apache-2.0
// SVGD on a density of your own: thirty particles come to stand for N(3, 1) in each of two coordinates.
#include <cmath>
#include <iostream>

#include "fedstein/numeric/rng.h"
#include "fedstein/stein/svgd.h"

using namespace fedstein;

class Target : public Score {  // the gradient of your log density, here of -(theta - 3)^2 / 2
  void add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const override {
    grad.array() += static_cast<Real>(weight) * (3 - theta.array());
  }
};

int main() {
  Particles particles(30, 2);
  Rng({.seed = 1}).fill_normal(particles);
  const Target target;
  const SvgdSummary summary = svgd(particles, {{+1, target}}, {.steps = 500});

  const double mean = static_cast<double>(particles.mean());
  const double deviation = std::sqrt(static_cast<double>((particles.array() - particles.mean()).square().mean()));
  std::cout << summary.message() << "\n";
  std::cout << "mean " << mean << ", deviation " << deviation << "\n";
  return std::abs(mean - 3) < 0.1 && std::abs(deviation - 1) < 0.2 ? 0 : 1;
}
