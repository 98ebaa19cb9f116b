// SPDX-License-Identifier: Apache-2.0
// make demo: two agents that never show each other their data find the posterior of both. DSVGD on the paper's 1-D
// mixture (prior N(0, 1); agent 1 knows N(1, 4), agent 2 knows N(-3, 1) + N(3, 2), the second number a variance), agent
// 1 in odd rounds and agent 2 in even ones. Usage: fedstein-demo [REPORT.txt]
#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "fedstein/algorithm/diagnostics.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/model/gaussian_mixture.h"
#include "terminal_plot.h"

namespace fedstein {
namespace {

constexpr Index kRounds = 8;
constexpr double kKdeBandwidth = 0.55;  // table:hyperparams
constexpr UniformGrid kGrid{.low = -9, .high = 9, .cells = 1800};
constexpr UniformGrid kPlot{.low = -4, .high = 4, .cells = 78};

std::vector<double> density(const DoubleVector& log_density) {
  const DoubleVector values = (log_density.array() - log_mass(log_density, kPlot.width())).exp();
  return {values.begin(), values.end()};
}

// Writes a line for every round and a picture for some.
class Report : public Observer {
 public:
  Report(const GaussianMixture& model, const Batch& all)
      : exact_(model, all, {kPlot}),
        first_(model, all.middle_rows(0, 1), {kPlot}),
        second_(model, all.middle_rows(1, 1), {kPlot}) {}

  Next on_round(RoundRecord& record, const Particles& particles) override {
    std::array<char, 100> line{};
    std::snprintf(line.data(),
                  line.size(),
                  "round %d, agent %d:   KL(q || q_opt) = %.4f   free energy = %.4f\n",
                  static_cast<int>(record.round),
                  static_cast<int>(record.scheduled.front()) + 1,
                  record.figures.at("kl"),
                  record.figures.at("free_energy"));
    text += line.data();
    if (record.round <= 2 || record.round == kRounds) text += "\n" + picture(particles) + "\n";
    return Next::kContinue;
  }

  std::string text;

 private:
  std::string picture(const Particles& particles) const {
    TerminalPlot plot{.from = kPlot.low, .to = kPlot.high, .shaded = density(exact_.log_posterior())};
    plot.lines = {{.mark = "1", .heights = density(first_.log_posterior())},
                  {.mark = "2", .heights = density(second_.log_posterior())},
                  {.mark = "●", .heights = density(exact_.log_kde(particles, kKdeBandwidth)), .joined = false}};
    for (Index n = 0; n < particles.rows(); ++n) plot.marks.push_back(static_cast<double>(particles(n, 0)));
    return draw(plot) + "1, 2 each agent's own posterior   ░ that of both   ● KDE of the particles (┴)\n";
  }

  PosteriorGrid exact_, first_, second_;  // of both agents' data, and of each one's alone
};

std::string run() {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  const Batch all{x, y};

  const Algorithm& dsvgd = algorithm_named("dsvgd");
  Settings settings(dsvgd.settings);
  settings.set("particles", Index{200});
  settings.set("local_steps", Index{200});
  settings.set("kde_bandwidth", kKdeBandwidth);
  LocalFederation federation(dsvgd, settings, model, {all.middle_rows(0, 1), all.middle_rows(1, 1)}, /*seed=*/1);

  const PosteriorGrid grid(model, all, {kGrid});
  GridFigures figures(grid, kKdeBandwidth);
  Report report(model, all);
  ObserverList observers({&figures, &report});
  InProcessTransport transport(federation.agent_pointers());
  coordinate(federation.server(), RoundRobin(2), transport, observers, {.rounds = kRounds});
  std::array<char, 100> least{};
  std::snprintf(least.data(), least.size(), "%.4f\n", grid.free_energy(grid.log_posterior()));
  return "DSVGD on the paper's 1-D mixture: 2 agents, 200 particles, 200 steps a round\n\n" + report.text +
         "The exact posterior has KL 0 and the least free energy there is, " + least.data();
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
