// SPDX-License-Identifier: Apache-2.0
// make demo: centralised SVGD on the paper's 1-D mixture (prior N(0, 1); likelihoods N(1, 4) and N(-3, 1) + N(3, 2),
// the second number a variance; 200 particles, 800 steps), with the distance to the exact posterior as it falls. Usage:
// fedstein-demo [REPORT.txt]
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "fedstein/numeric/rng.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/svgd.h"
#include "terminal_plot.h"

namespace fedstein {
namespace {

constexpr Index kParticles = 200;
constexpr Index kSteps = 800;
constexpr double kKdeBandwidth = 0.55;  // table:hyperparams
constexpr double kFrom = -6, kTo = 6;
constexpr Index kGridPoints = 2401;

double normal_density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

double log_posterior(double x) {
  return std::log(normal_density(x, 0, 1)) + std::log(normal_density(x, 1, 4)) +
         std::log(normal_density(x, -3, 1) + normal_density(x, 3, 2));
}

// Of log_posterior; tests/stein checks such scores against differences, here the formula is short enough to read.
class PosteriorScore : public Score {
 public:
  void add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const override {
    for (Index n = 0; n < theta.rows(); ++n) {
      const auto x = static_cast<double>(theta(n, 0));
      const double a = normal_density(x, -3, 1), b = normal_density(x, 3, 2);
      const double score = -x + (1 - x) / 4 + (a * (-3 - x) + b * (3 - x) / 2) / (a + b);
      grad(n, 0) += static_cast<Real>(weight * score);
    }
  }
};

Matrix grid() {
  return Eigen::Matrix<Real, Eigen::Dynamic, 1>::LinSpaced(
      kGridPoints, static_cast<Real>(kFrom), static_cast<Real>(kTo));
}

// The exact posterior, normalised on the grid.
DoubleVector exact_density(const Matrix& places) {
  DoubleVector density(places.rows());
  for (Index i = 0; i < places.rows(); ++i) density(i) = std::exp(log_posterior(static_cast<double>(places(i, 0))));
  return density / (density.sum() * (kTo - kFrom) / static_cast<double>(kGridPoints - 1));
}

// KL(q || q_opt) by the rectangle rule; q, a KDE, is positive everywhere on the grid, and so is q_opt.
double divergence(const DoubleVector& q, const DoubleVector& exact) {
  double sum = 0;
  for (Index i = 0; i < q.size(); ++i) {
    if (q(i) > 0) sum += q(i) * std::log(q(i) / exact(i));
  }
  return sum * (kTo - kFrom) / static_cast<double>(kGridPoints - 1);
}

std::vector<double> thinned(const DoubleVector& values, Index columns) {
  std::vector<double> out;
  for (Index i = 0; i < columns; ++i) out.push_back(values(i * (values.size() - 1) / (columns - 1)));
  return out;
}

std::string run() {
  const Matrix places = grid();
  const DoubleVector exact = exact_density(places);
  const auto density_of = [&](const ConstMatrixRef& particles) -> DoubleVector {
    return Kde(particles, kKdeBandwidth).log_density(places).array().exp();
  };
  std::string report = "SVGD on the paper's 1-D mixture: 200 particles, 800 steps, prior N(0, 1)\n\n";
  const auto say = [&](Index step, const ConstMatrixRef& particles) {
    std::array<char, 80> line{};
    const double kl = divergence(density_of(particles), exact);
    std::snprintf(line.data(), line.size(), "  step %4d   KL(q || q_opt) = %.4f\n", static_cast<int>(step), kl);
    report += line.data();
  };

  Particles particles(kParticles, 1);
  Rng({.seed = 1, .purpose = Purpose::kPriorDraw}).fill_normal(particles);
  SvgdOptions options{.steps = kSteps};
  options.observe = [&](const SvgdOptions::Trace& at) {
    if (at.step % 100 == 0) say(at.step, at.particles);
  };
  svgd(particles, {{+1, PosteriorScore()}}, options);
  say(kSteps, particles);

  TerminalPlot plot{.from = kFrom, .to = kTo, .shaded = thinned(exact, 78), .dotted = {}};
  plot.dotted = thinned(density_of(particles), 78);
  for (Index n = 0; n < kParticles; ++n) plot.marks.push_back(static_cast<double>(particles(n, 0)));
  return report + "\n" + draw(plot) + "\n░ exact posterior   ● KDE of the particles   ┴ particles\n";
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  try {
    const std::string report = fedstein::run();
    std::cout << report;
    if (argc > 1) {
      std::ofstream file(argv[1]);
      file << report;
      file.close();
      if (!file) throw std::runtime_error(std::string("cannot write the report to ") + argv[1]);
      std::cout << "\nreport: " << argv[1] << "\n";
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "fedstein-demo: " << error.what() << "\n";
    return 1;
  }
}
