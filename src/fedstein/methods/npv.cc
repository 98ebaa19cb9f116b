// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/npv.h"

#include <cmath>
#include <numbers>
#include <span>

#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/lbfgs.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

// log N(mu_m; mu_j, s I), s = s_m + s_j.
double log_overlap(double squared_distance, double s, Index dimension) {
  return -squared_distance / (2 * s) - static_cast<double>(dimension) / 2 * std::log(2 * std::numbers::pi * s);
}

double log_sum(const DoubleVector& values) {
  return log_sum_exp(std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

}  // namespace

NpvAgent::Reading NpvAgent::read(Index round) const {
  const Batch& data = context_.data;
  if (data.rows() <= options_.rows) return {data.x, data.y, options_.temperature};
  const MinibatchLikelihood draw(*context_.model,
                                 data,
                                 options_.rows,
                                 {.seed = context_.seed,
                                  .agent = static_cast<std::uint64_t>(context_.agent),
                                  .round = static_cast<std::uint64_t>(round)});
  const std::vector<Index> rows = draw.rows_of(0);
  const double share = static_cast<double>(options_.rows) / static_cast<double>(data.rows());
  return {data.x(rows, Eigen::all), data.y(rows), options_.temperature * share};
}

// Minimises  - f(mu_n) + sum_m log q_m  over mu_n, which enters its own q_n and one term of every other.
void NpvAgent::move_mean(const Reading& reading, DoubleMatrix& means, const DoubleVector& variances, Index n) const {
  const Model& model = *context_.model;
  const Index count = means.rows();
  const Index d = means.cols();
  DoubleVector rest(count);  // log sum over j != n of the overlaps of m with j
  for (Index m = 0; m < count; ++m) {
    DoubleVector terms = DoubleVector::Constant(count, -std::numeric_limits<double>::infinity());
    for (Index j = 0; j < count; ++j) {
      if (j == n) continue;
      terms(j) = log_overlap((means.row(m) - means.row(j)).squaredNorm(), variances(m) + variances(j), d);
    }
    rest(m) = log_sum(terms);
  }
  const double own = log_overlap(0, 2 * variances(n), d);

  const auto objective = [&](const DoubleVector& mu, DoubleVector& gradient) {
    const Matrix theta = mu.transpose().cast<Real>();
    Matrix score = Matrix::Zero(1, d);
    model.add_prior_score(theta, 1, score);
    model.add_likelihood_score(theta, {reading.x, reading.y}, 1 / reading.temperature, score);
    gradient = -score.row(0).transpose().cast<double>();
    double value = -log_posterior(model, theta, {reading.x, reading.y}, reading.temperature)(0);

    DoubleVector overlaps(count);
    for (Index j = 0; j < count; ++j) {
      overlaps(j) =
          j == n ? own : log_overlap((mu.transpose() - means.row(j)).squaredNorm(), variances(n) + variances(j), d);
    }
    const double log_q = log_sum(overlaps);
    value += log_q;
    for (Index j = 0; j < count; ++j) {
      if (j == n) continue;
      const double log_q_j = log_sum(DoubleVector{{rest(j), overlaps(j)}});
      value += log_q_j;
      const double shares = std::exp(overlaps(j) - log_q) + std::exp(overlaps(j) - log_q_j);
      gradient -= shares / (variances(n) + variances(j)) * (mu - means.row(j).transpose());
    }
    return value;
  };
  DoubleVector mu = means.row(n).transpose();
  minimise(objective, mu, {.steps = options_.local_steps});
  means.row(n) = mu.transpose();
}

DoubleVector NpvAgent::traces(const Reading& reading, const DoubleMatrix& means) const {
  const Matrix theta = means.cast<Real>();
  Matrix prior = Matrix::Zero(theta.rows(), theta.cols());
  const Curvature* curvature = context_.model->curvature();
  check_argument(curvature != nullptr, "npv", "the model's second derivatives are not known");
  curvature->add_prior_curvature(theta, 1, prior);
  Matrix all = prior;
  curvature->add_likelihood_curvature(theta, {reading.x, reading.y}, 1 / reading.temperature, all);
  DoubleVector traces = all.cast<double>().rowwise().sum();
  const DoubleVector of_prior = prior.cast<double>().rowwise().sum();
  for (Index n = 0; n < traces.size(); ++n) {
    if (traces(n) >= 0) traces(n) = of_prior(n);
  }
  return traces;
}

// Minimises  sum_n log q_n - s_n/2 trace_n  over all log s_n.
void NpvAgent::fit_variances(const Reading& reading, const DoubleMatrix& means, DoubleVector& log_variances) const {
  const Index count = means.rows();
  const auto d = static_cast<double>(means.cols());
  const DoubleVector trace = traces(reading, means);
  const auto objective = [&](const DoubleVector& logs, DoubleVector& gradient) {
    const DoubleVector s = logs.array().exp();
    double value = -0.5 * s.dot(trace);
    gradient = -0.5 * s.cwiseProduct(trace);
    DoubleVector overlaps(count);
    for (Index m = 0; m < count; ++m) {
      for (Index j = 0; j < count; ++j) {
        overlaps(j) = log_overlap((means.row(m) - means.row(j)).squaredNorm(), s(m) + s(j), means.cols());
      }
      const double log_q = log_sum(overlaps);
      value += log_q;
      for (Index j = 0; j < count; ++j) {
        const double sum = s(m) + s(j);
        const double slope = (-d + (means.row(m) - means.row(j)).squaredNorm() / sum) / (2 * sum);
        const double share = std::exp(overlaps(j) - log_q) * slope;
        gradient(m) += share * s(m);
        gradient(j) += share * s(j);
      }
    }
    return value;
  };
  minimise(objective, log_variances, {.steps = options_.local_steps});
}

Update NpvAgent::update(const Task& task) {
  const DoubleMatrix components = task.belief.front().cast<double>();
  const Index d = components.cols() - 1;
  DoubleMatrix means = components.leftCols(d);
  DoubleVector log_variances = components.col(d);
  const DoubleVector variances = log_variances.array().exp();
  const Reading reading = read(task.round);
  for (Index n = 0; n < means.rows(); ++n) move_mean(reading, means, variances, n);
  fit_variances(reading, means, log_variances);

  Matrix next(means.rows(), d + 1);
  next << means.cast<Real>(), log_variances.cast<Real>();
  if (!next.allFinite()) throw Divergence("npv: the components left the finite numbers");
  return {task.round, task.agent, {std::move(next)}};
}

namespace {

Matrix initial_components(const ServerContext& context, const NpvSetup& options) {
  const Index d = context.model->dimension();
  ParticleOptions start;
  start.particles = options.components;
  start.start = options.start;
  const Particles means = initial_particles(*context.model, start, context.seed);
  Matrix components(options.components, d + 1);
  components << means, Vector::Constant(options.components, static_cast<Real>(2 * std::log(options.start_deviation)));
  return components;
}

std::vector<Setting> npv_settings() {
  const NpvSetup standard;
  std::vector<Setting> settings = shared_settings({"particles", "local_steps", "temperature", "start"});
  Setting& components = setting_named("particles", settings);
  components.standard = standard.components;
  components.help = "number of components N";
  Setting& steps = setting_named("local_steps", settings);
  steps.standard = standard.local_steps;
  steps.help = "largest number of L-BFGS steps in a round, for each mean and for the variances";
  setting_named("start", settings).help = "initial means: prior draws, or N(0, 0.1^2)";
  settings.push_back(
      {.key = "rows",
       .standard = standard.rows,
       .help = "largest number of rows in a round; they are drawn anew in each round and weighted by n/rows",
       .least = 1});
  settings.push_back({.key = "start_deviation",
                      .standard = standard.start_deviation,
                      .help = "standard deviation of every component before the first round",
                      .least = kAboveZero});
  return settings;
}

NpvSetup npv_options(const Settings& settings) {
  NpvSetup options;
  options.components = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.rows = settings.integer("rows");
  options.temperature = settings.number("temperature");
  options.start = settings.text("start");
  options.start_deviation = settings.number("start_deviation");
  return options;
}

}  // namespace

NpvServer::NpvServer(const ServerContext& context, const NpvSetup& options)
    : ReplaceServer(initial_components(context, options)), seed_(context.seed) {}

Particles NpvServer::particles() const {
  const Matrix all = components();
  const Index d = all.cols() - 1;
  Particles draws(all.rows(), d);
  Rng rng({.seed = seed_, .agent = 0, .round = 0, .purpose = Purpose::kReparameterisation});
  rng.fill_normal(draws);
  const Vector deviations = (0.5_r * all.col(d)).array().exp();
  draws = deviations.asDiagonal() * draws;
  return all.leftCols(d) + draws;
}

Algorithm npv_algorithm() {
  return {
      .name = "npv",
      .summary = "nonparametric variational inference: an equal mixture of N isotropic Gaussians on all data",
      .centralised = true,
      .settings = npv_settings(),
      .objection = [](const Model& model) -> std::string {
        if (model.curvature() == nullptr) {
          return "the model's second derivatives are not known (networks, robust losses), and NPV needs their trace";
        }
        if (model.support() != nullptr) {
          return "the model's prior is uniform on a box; the Gaussians of NPV need a prior on all of R^d";
        }
        return {};
      },
      .make_server =
          [](const ServerContext& context, const Settings& settings) {
            return std::make_unique<NpvServer>(context, npv_options(settings));
          },
      .make_agent = [](const AgentContext& context,
                       const Settings& settings) { return std::make_unique<NpvAgent>(context, npv_options(settings)); },
  };
}

}  // namespace fedstein
