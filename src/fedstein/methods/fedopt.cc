// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedopt.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Saved state says whose it is.
const char* server_name(SecondMoment rule) {
  if (rule == SecondMoment::kAdagrad) return "fedadagrad server";
  return rule == SecondMoment::kAdam ? "fedadam server" : "fedyogi server";
}

FedOptSetup fedopt_options(const Settings& settings, SecondMoment rule) {
  FedOptSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.weighting = settings.text("weighting");
  options.rule = rule;
  options.server_rate = settings.number("server_rate");
  options.beta1 = settings.number("beta1");
  if (settings.has("beta2")) options.beta2 = settings.number("beta2");
  options.tau = settings.number("tau");
  return options;
}

Algorithm fedopt_algorithm(Algorithm made, SecondMoment rule, const ParticleExtras& extras) {
  const bool adagrad = rule == SecondMoment::kAdagrad;
  const double below_one = 0.999999;
  made.parallel = true;
  made.settings = plain_point_settings();
  made.settings.push_back(weighting_setting());
  made.settings.push_back({.key = "server_rate",
                           .standard = adagrad ? 0.1 : FedOptSetup{}.server_rate,
                           .help = "step size of the server, eta",
                           .least = kAboveZero});
  made.settings.push_back({.key = "beta1",
                           .standard = adagrad ? 0.0 : FedOptSetup{}.beta1,
                           .help = "decay of the server's mean of moves",
                           .least = 0,
                           .most = below_one});
  if (!adagrad) {
    made.settings.push_back({.key = "beta2",
                             .standard = FedOptSetup{}.beta2,
                             .help = "decay of the server's mean of squared moves",
                             .least = 0,
                             .most = below_one});
  }
  made.settings.push_back({.key = "tau",
                           .standard = FedOptSetup{}.tau,
                           .help = "added to the root of the mean squared moves; smaller values adapt more",
                           .least = 1e-9,
                           .most = 1e9});
  const auto options = [rule](const Settings& settings) { return fedopt_options(settings, rule); };
  made.make_server = makes<FedOptServer>(options, extras);
  made.make_agent = makes<FedAvgAgent>(options, extras);
  return made;
}

}  // namespace

FedOptServer::FedOptServer(const ServerContext& context, const FedOptSetup& options)
    : MeanServer(server_name(options.rule),
                 context,
                 {initial_point(*context.model, options, context.seed)},
                 {.uniform = options.weighting == "uniform"}),
      options_(options),
      m_(Matrix::Zero(1, context.model->dimension())),
      v_(Matrix::Constant(1, context.model->dimension(), static_cast<Real>(options.tau * options.tau))) {}

void FedOptServer::take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& /*agents*/) {
  const DoubleMatrix x = belief().front().cast<double>();
  const DoubleMatrix move = mean.front() - x;
  const Eigen::ArrayXXd square = move.array().square();
  Eigen::ArrayXXd v = v_.cast<double>().array();
  switch (options_.rule) {
    case SecondMoment::kAdagrad:
      v += square;
      break;
    case SecondMoment::kAdam:
      v = options_.beta2 * v + (1 - options_.beta2) * square;
      break;
    case SecondMoment::kYogi:
      v -= (1 - options_.beta2) * square * (v - square).sign();
      break;
  }
  const DoubleMatrix m = options_.beta1 * m_.cast<double>() + (1 - options_.beta1) * move;
  const DoubleMatrix step = (options_.server_rate * m.array() / (v.sqrt() + options_.tau)).matrix();

  Matrix next = allowed_point(x + step, "fedopt");
  Matrix first = checked_point(m, "fedopt");
  Matrix second = checked_point(v.matrix(), "fedopt");
  m_ = std::move(first);
  v_ = std::move(second);
  replace({std::move(next)});
}

void FedOptServer::recall(std::vector<Matrix> memory) {
  const std::string objection = objection_to({0, 0, memory}, {m_, v_});
  if (!objection.empty()) throw BadState("saved state: the server's moments: " + objection);
  if (memory[1].minCoeff() < 0) throw BadState("saved state: the server's second moment is negative");
  m_ = std::move(memory[0]);
  v_ = std::move(memory[1]);
}

Algorithm fedadagrad_algorithm(const ParticleExtras& extras) {
  Algorithm made{.name = "fedadagrad", .summary = "FedAvg with AdaGrad at the server, on the agents' mean move"};
  return fedopt_algorithm(std::move(made), SecondMoment::kAdagrad, extras);
}

Algorithm fedadam_algorithm(const ParticleExtras& extras) {
  Algorithm made{.name = "fedadam", .summary = "FedAvg with Adam at the server, on the agents' mean move"};
  return fedopt_algorithm(std::move(made), SecondMoment::kAdam, extras);
}

Algorithm fedyogi_algorithm(const ParticleExtras& extras) {
  Algorithm made{.name = "fedyogi", .summary = "FedAvg with Yogi at the server, on the agents' mean move"};
  return fedopt_algorithm(std::move(made), SecondMoment::kYogi, extras);
}

}  // namespace fedstein
