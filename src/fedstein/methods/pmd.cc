// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/pmd.h"

#include <cmath>
#include <numbers>
#include <span>

#include "fedstein/federated/state.h"
#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/methods/particles/replace_server.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

template <typename Values>
double log_sum(const Values& values) {
  return log_sum_exp(std::span(values.data(), static_cast<std::size_t>(values.size())));
}

}  // namespace

double PmdAgent::bandwidth(Index t) const {
  return options_.bandwidth * std::pow(static_cast<double>(t), -options_.bandwidth_decay);
}

Particles PmdAgent::draw(const State& state, Index t) const {
  const Index count = state.centres.rows();
  const Rng stream({.seed = context_.seed,
                    .agent = static_cast<std::uint64_t>(context_.agent),
                    .round = 0,
                    .purpose = Purpose::kNoise});
  Rng rng = stream.at_step(static_cast<std::uint64_t>(t));
  const double offset = rng.uniform();
  Particles places(count, state.centres.cols());
  rng.fill_normal(places, 0, bandwidth(t));
  double reached = static_cast<double>(state.weights(0, 0));
  Index from = 0;
  for (Index n = 0; n < count; ++n) {
    const double point = (static_cast<double>(n) + offset) / static_cast<double>(count);
    while (reached < point && from + 1 < count) reached += static_cast<double>(state.weights(++from, 0));
    places.row(n) += state.centres.row(from);
  }
  if (const Support* support = context_.model->support()) support->reflect(places);
  return places;
}

DoubleVector PmdAgent::log_density(const State& state, const Particles& places, Index t) const {
  if (state.centres.size() == 0 && options_.start == "prior") return context_.model->prior_log_density(places);
  if (state.centres.size() == 0) {  // near-zero; up to a constant, which the weights do not see
    return places.cast<double>().rowwise().squaredNorm() / (-2 * kNearZeroDeviation * kNearZeroDeviation);
  }
  const double lambda = bandwidth(t);
  const RowVector mean = state.centres.colwise().mean();  // distances keep their digits far from the origin
  const Matrix shifted = places.rowwise() - mean;
  const Matrix centred = state.centres.rowwise() - mean;
  Matrix distances(places.rows(), centred.rows());
  squared_distances(shifted, centred, distances);
  const double normaliser = static_cast<double>(places.cols()) / 2 * std::log(2 * std::numbers::pi * lambda * lambda);
  const Eigen::RowVectorXd log_weights = state.weights.col(0).transpose().cast<double>().array().log();
  DoubleVector result(places.rows());
  for (Index n = 0; n < places.rows(); ++n) {
    const Eigen::RowVectorXd terms = log_weights - distances.row(n).cast<double>() / (2 * lambda * lambda);
    result(n) = log_sum(terms) - normaliser;
  }
  return result;
}

Update PmdAgent::update(const Task& task) {
  const Model& model = *context_.model;
  State state = state_;
  Particles places = task.belief.front();  // before the first step: of the prior
  // One stream for the whole run: its steps, not its rounds, choose the rows.
  const MinibatchLikelihood rows(model,
                                 context_.data,
                                 options_.batch,
                                 {.seed = context_.seed, .agent = static_cast<std::uint64_t>(context_.agent)});
  const double scale =
      rows.batch() == 0 ? 0 : static_cast<double>(context_.data.rows()) / static_cast<double>(rows.batch());
  for (Index l = 0; l < options_.local_steps; ++l) {
    const Index t = ++state.steps;
    const DoubleVector log_p0 = model.prior_log_density(places);
    const DoubleVector log_q = log_density(state, places, t);
    const std::vector<Index> chosen = rows.rows_of(t - 1);
    const Matrix x = context_.data.x(chosen, Eigen::all);
    const Vector y = context_.data.y(chosen);
    const double eta = options_.step * std::pow(static_cast<double>(t), -options_.step_decay);
    DoubleVector log_w = eta * (log_p0 + scale / options_.temperature * model.log_likelihood(places, {x, y}) - log_q);
    log_w.array() -= log_sum(log_w);
    if (!log_w.array().exp().allFinite()) {
      throw Divergence("pmd: no particle has a finite weight in step " + std::to_string(t));
    }
    state.centres = std::move(places);
    state.weights = log_w.array().exp().matrix().cast<Real>();
    places = draw(state, t + 1);
  }
  pending_round_ = task.round;
  pending_ = std::move(state);
  return {task.round, task.agent, {std::move(places)}};
}

void PmdAgent::settle(const Verdict& verdict, const Update& /*as_sent*/) {
  if (pending_round_ == 0 || pending_round_ != verdict.round) return;
  if (verdict.folded) state_ = std::move(pending_);
  pending_round_ = 0;
  pending_ = {};
}

std::string PmdAgent::save() const {
  StateWriter writer("pmd agent");
  writer.integer(pending_round_);
  for (const State* state : {&state_, &pending_}) {
    writer.integer(state->steps);
    writer.matrix(state->centres);
    writer.matrix(state->weights);
  }
  return std::move(writer).finish();
}

void PmdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "pmd agent");
  const Index pending_round = reader.integer();
  State states[2];
  for (State& state : states) {
    state.steps = reader.integer();
    state.centres = reader.matrix();
    state.weights = reader.matrix();
    const bool prior = state.steps == 0 && state.centres.size() == 0 && state.weights.size() == 0;
    const bool kde = state.steps > 0 && state.centres.rows() == options_.particles &&
                     state.centres.cols() == context_.model->dimension() && state.centres.allFinite() &&
                     state.weights.rows() == options_.particles && state.weights.cols() == 1 &&
                     state.weights.minCoeff() >= 0;
    if (!prior && !kde) throw BadState("saved state: no KDE of this method's particles");
  }
  reader.finish();
  pending_round_ = pending_round;
  state_ = std::move(states[0]);
  pending_ = std::move(states[1]);
}

Index PmdAgent::state_size() const {
  Index size = 0;
  for (const State* state : {&state_, &pending_}) size += state->centres.size() + state->weights.size();
  return size;
}

namespace {

PmdSetup pmd_options(const Settings& settings) {
  PmdSetup options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.start = settings.text("start");
  options.step = settings.number("step");
  options.step_decay = settings.number("step_decay");
  options.bandwidth = settings.number("bandwidth");
  options.bandwidth_decay = settings.number("bandwidth_decay");
  return options;
}

std::vector<Setting> pmd_settings() {
  const PmdSetup standard;
  std::vector<Setting> settings = shared_settings({"particles", "local_steps", "batch", "temperature", "start"});
  settings.push_back({.key = "step",
                      .standard = standard.step,
                      .help = "step size of the first step, eta",
                      .least = kAboveZero,
                      .most = 1});
  settings.push_back({.key = "step_decay",
                      .standard = standard.step_decay,
                      .help = "exponent with which eta falls over the steps t: t^-step_decay",
                      .least = 0});
  settings.push_back({.key = "bandwidth",
                      .standard = standard.bandwidth,
                      .help = "bandwidth of the KDE in the first step, lambda",
                      .least = kAboveZero});
  settings.push_back({.key = "bandwidth_decay",
                      .standard = standard.bandwidth_decay,
                      .help = "exponent with which lambda falls over the steps t: t^-bandwidth_decay",
                      .least = 0});
  return settings;
}

}  // namespace

Algorithm pmd_algorithm() {
  return {
      .name = "pmd",
      .summary = "particle mirror descent on all data: a KDE that is reweighted towards the posterior and resampled",
      .centralised = true,
      .settings = pmd_settings(),
      .objection = [](const Model& model) -> std::string {
        if (model.starts_at_zero()) return {};
        return "the model is a network, whose first weights are not drawn from its prior; PMD must know the density "
               "that "
               "its particles are drawn from";
      },
      .make_server =
          [](const ServerContext& context, const Settings& settings) {
            const PmdSetup pmd = pmd_options(settings);
            ParticleOptions options;
            options.particles = pmd.particles;
            options.start = pmd.start;
            return make_replace_server(context, options);
          },
      .make_agent = [](const AgentContext& context,
                       const Settings& settings) { return std::make_unique<PmdAgent>(context, pmd_options(settings)); },
  };
}

}  // namespace fedstein
