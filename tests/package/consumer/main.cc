// SPDX-License-Identifier: Apache-2.0
// An outside program: SVGD on its own target with nothing but the installed package.
#include <cmath>
#include <cstdio>

#include "fedstein/stein/svgd.h"

namespace {

// N(3, 1).
class Target : public fedstein::Score {
 public:
  void add(const fedstein::ConstMatrixRef& theta,
           fedstein::Index /*step*/,
           double weight,
           fedstein::MatrixRef grad) const override {
    grad.array() += static_cast<fedstein::Real>(weight) * (3 - theta.array());
  }
};

}  // namespace

int main() {
  fedstein::Particles particles = fedstein::Particles::Random(30, 2);
  const Target target;
  const fedstein::SvgdSummary summary = fedstein::svgd(particles, {{+1, target}}, {.steps = 500});
  std::printf("%s\n", summary.message().c_str());
  const double mean = static_cast<double>(particles.mean());
  std::printf("fedstein %s, Real = %s, mean %.3f\n", FEDSTEIN_VERSION, fedstein::kRealName, mean);
  return std::abs(mean - 3) < 0.05 ? 0 : 1;
}
