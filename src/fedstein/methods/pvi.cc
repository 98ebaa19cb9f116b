// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/pvi.h"

#include <algorithm>
#include <cmath>

#include "fedstein/federated/state.h"
#include "fedstein/model/gaussian.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kMostFullDimensions = 2;
constexpr double kStartDeviation = 0.1;  // of the prior's, around a drawn start

NormalQuadrature rule_for(const Model& model, const GaussianSetup& options) {
  if (options.covariance == "diagonal" || model.dimension() > kMostFullDimensions) return {};
  return normal_quadrature(model.dimension() == 1 ? 64 : 24, model.dimension());
}

NaturalGaussian flat(const Model& model, const NormalQuadrature& rule) {
  return NaturalGaussian::flat(model.dimension(), rule.nodes.size() > 0);
}

}  // namespace

// ---- at the agent

PviAgent::PviAgent(const AgentContext& context, const GaussianSetup& options)
    : PviAgent("pvi agent", context, options) {}

PviAgent::PviAgent(const char* owner, const AgentContext& context, const GaussianSetup& options)
    : owner_(owner),
      context_(context),
      options_(options),
      rule_(rule_for(*context.model, options)),
      factor_(to_belief(flat(*context.model, rule_))) {}

NaturalGaussian PviAgent::target_of(const NaturalGaussian& q, const Differentiable& f, Index round, Index step) const {
  if (q.full()) return project(q, f, step, rule_);
  const Rng stream({.seed = context_.seed,
                    .agent = static_cast<std::uint64_t>(context_.agent),
                    .round = static_cast<std::uint64_t>(round),
                    .purpose = Purpose::kReparameterisation});
  Rng rng = stream.at_step(static_cast<std::uint64_t>(step));
  Matrix noise(options_.pairs, q.dimension());
  rng.fill_normal(noise);
  return project(q, f, step, noise);
}

NaturalGaussian PviAgent::starting_q(const Task& task) const {
  NaturalGaussian q = from_belief(task.belief);
  const bool network = !q.full() && context_.model->curvature() == nullptr;
  if (task.version > 0 || options_.start == "prior" || (options_.start == "auto" && !network)) return q;
  Particles start(1, q.dimension());
  Rng rng({.seed = context_.seed, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  context_.model->draw_prior(rng, start);
  context_.model->fit_start(context_.data, start);
  q.precision *= 1 / (kStartDeviation * kStartDeviation);
  const DoubleVector mean = start.row(0).transpose().cast<double>();
  q.linear =
      q.full() ? DoubleVector(q.precision * mean) : DoubleVector(q.precision.row(0).transpose().cwiseProduct(mean));
  return q;
}

NaturalGaussian PviAgent::answer(const Task& task) const {
  const NaturalGaussian cavity = cavity_of(task);
  NaturalGaussian q = starting_q(task);
  NaturalGaussian t_k = q - cavity;
  const LikelihoodTerm loss_k(*context_.model,
                              context_.data,
                              {.batch = options_.batch,
                               .temperature = options_.temperature,
                               .stream = {.seed = context_.seed,
                                          .agent = static_cast<std::uint64_t>(context_.agent),
                                          .round = static_cast<std::uint64_t>(task.round)}});
  const bool noisy = options_.batch < context_.data.rows();
  const double first_rate = noisy ? options_.rate / static_cast<double>(1 + visits_) : options_.rate;
  for (Index step = 0; step < options_.local_steps; ++step) {
    const double rest = 1 - static_cast<double>(step) / static_cast<double>(options_.local_steps);
    const double rate = first_rate * std::min(1.0, 2 * rest);
    const NaturalGaussian target = target_of(q, loss_k, task.round, step);
    const NaturalGaussian move = within_reach(q, rate * (target - t_k));
    t_k += move;
    q = cavity + t_k;
    if (!q.proper()) {
      throw Divergence("pvi: q is no Gaussian any more after step " + std::to_string(step) + " of round " +
                       std::to_string(task.round));
    }
  }
  return q;
}

Update PviAgent::update(const Task& task) {
  const NaturalGaussian q = answer(task);
  Belief before = task.belief;
  before.emplace_back();  // see restore()
  pending_.wait(task.round, std::move(before));
  return {task.round, task.agent, to_belief(q)};
}

void PviAgent::settle(const Verdict& verdict, const Update& as_sent) {
  const auto before = pending_.settle(verdict);
  if (!before) return;
  Belief move;
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    move.emplace_back(sent_part(as_sent, i, factor_[i]) - (*before)[i]);
  }
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    move[i] = factor_[i] + static_cast<Real>(verdict.weight) * move[i];
    if (first_non_finite(move[i]).row >= 0) throw Divergence("pvi: the factor is not finite with what was sent");
  }
  factor_ = std::move(move);
  ++visits_;
}

std::string PviAgent::save() const {
  StateWriter writer(owner_);
  writer.integer(visits_);
  writer.matrices(factor_);
  pending_.write(writer);
  return std::move(writer).finish();
}

void PviAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, owner_);
  const Index visits = reader.integer();
  Belief factor = reader.matrices();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  if (visits < 0) throw BadState("saved state: " + std::to_string(visits) + " visits");
  std::vector<Belief> parts = {factor};
  if (!pending.values().empty()) {
    // Earlier programs kept the move q_k - q(i-1) here, of the same shapes. An empty matrix behind q(i-1) tells the
    // two.
    parts.push_back(pending.values());
    if (parts.back().size() != factor_.size() + 1 || parts.back().back().size() != 0) {
      throw BadState(
          "saved state: its update waits in the form of an earlier program; settle that round with it first");
    }
    parts.back().pop_back();
  }
  for (const Belief& part : parts) {
    const std::string objection = objection_to({0, 0, part}, factor_);
    if (!objection.empty()) throw BadState("saved state: " + objection);
  }
  visits_ = visits;
  factor_ = std::move(factor);
  pending_ = std::move(pending);
}

Index PviAgent::state_size() const {
  return size_of(factor_) + size_of(pending_.values());
}

// ---- at the server

PviServer::PviServer(const ServerContext& context, const GaussianSetup& options)
    : model_(context.model), options_(options), seed_(context.seed), rule_(rule_for(*context.model, options)) {
  constexpr Index kPairs = 64;
  constexpr double kLeastStart = 0.01;  // networks draw their biases as 0
  prior_noise_.resize(kPairs, model_->dimension());
  Rng rng({.seed = seed_, .agent = 0, .round = 0, .purpose = Purpose::kReparameterisation});
  rng.fill_normal(prior_noise_);
  // Antithetic pairs have mean 0; variance 1 as well halves the error of the expectations.
  for (Index k = 0; k < prior_noise_.cols(); ++k) {
    prior_noise_.col(k) *= std::sqrt(static_cast<Real>(kPairs)) / prior_noise_.col(k).norm();
  }

  // Any proper start will do for the fixed point; the moments of draws are near it.
  Particles draws(kPairs, model_->dimension());
  Rng prior_rng({.seed = seed_, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  model_->draw_prior(prior_rng, draws);
  const DoubleMatrix values = draws.cast<double>();
  const DoubleVector mean = values.colwise().mean().transpose();
  const DoubleVector variance = (values.rowwise() - mean.transpose()).cwiseAbs2().colwise().mean().transpose();
  const DoubleVector precision = variance.cwiseMax(kLeastStart * kLeastStart).cwiseInverse();
  NaturalGaussian q = flat(*model_, rule_);
  q.linear = precision.cwiseProduct(mean);
  if (q.full()) {
    q.precision.diagonal() = precision;
  } else {
    q.precision.row(0) = precision.transpose();
  }
  NaturalGaussian prior = q;
  constexpr Index kEnough = 500;
  refresh_prior(q, prior, kEnough);
  belief_ = VersionedBelief(to_belief(q));
  prior_ = to_belief(prior);
}

void PviServer::refresh_prior(NaturalGaussian& q, NaturalGaussian& prior, Index most_steps) const {
  constexpr double kRate = 0.5;
  constexpr double kNear = 1e-6;  // of the parameters: no closer than single precision can say
  const PriorTerm log_p0(*model_);
  for (Index step = 0; step < most_steps; ++step) {
    const NaturalGaussian target = q.full() ? project(q, log_p0, 0, rule_) : project(q, log_p0, 0, prior_noise_);
    const NaturalGaussian gap = target - prior;
    const auto near = [&](const auto& difference, const auto& value) {
      return (difference.array().abs() <= kNear * (1 + value.array().abs())).all();
    };
    if (near(gap.linear, target.linear) && near(gap.precision, target.precision)) return;
    const NaturalGaussian move = within_reach(q, kRate * gap);
    prior += move;
    q += move;
  }
}

std::string PviServer::objection(const Update& update) const {
  if (std::string shapes = belief_.objection(update); !shapes.empty()) return shapes;
  if (!from_belief(update.belief).proper()) return "the precision of q is not positive definite";
  return {};
}

std::vector<Verdict> PviServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  const NaturalGaussian before = posterior();
  NaturalGaussian moves = NaturalGaussian::flat(before.dimension(), before.full());
  std::vector<Index> agents;
  for (const Update& update : updates) {
    moves += from_belief(update.belief) - before;
    agents.push_back(update.agent);
  }
  return move_by(moves, round, agents);
}

std::vector<Verdict> PviServer::fold_sum(Index round,
                                         const std::vector<DoubleMatrix>& sum,
                                         const std::vector<Index>& agents) {
  check_sum(sum, agents, belief_.parts());
  const NaturalGaussian total{sum[0].row(0).transpose(), sum[1]};
  return move_by(total - static_cast<double>(agents.size()) * posterior(), round, agents);
}

std::vector<Verdict> PviServer::move_by(const NaturalGaussian& moves, Index round, const std::vector<Index>& agents) {
  const NaturalGaussian before = posterior();
  // A mean of proper q_k is proper; a damping above 1/|S| may overshoot.
  double rho = options_.damping > 0 ? options_.damping : 1 / static_cast<double>(agents.size());
  constexpr double kLeastStep = 1e-6;  // of a move: what is improper even so has numbers that nobody can mean
  while (!(before + rho * moves).proper()) {
    rho /= 2;
    if (rho < kLeastStep) throw Divergence("pvi: no part of round " + std::to_string(round) + " leaves q a Gaussian");
  }
  NaturalGaussian q = before + rho * moves;
  NaturalGaussian prior = from_belief(prior_);
  constexpr Index kRefreshSteps = 20;
  refresh_prior(q, prior, kRefreshSteps);
  if (!q.proper()) throw Divergence("pvi: q is no Gaussian any more after round " + std::to_string(round));

  // As it is kept, in Real: numbers that overflow there, or no longer tell a Gaussian, must not become the belief.
  Belief next = to_belief(q), next_prior = to_belief(prior);
  for (const Belief* each : {&next, &next_prior}) {
    for (const Matrix& part : *each) {
      if (first_non_finite(part).row >= 0)
        throw Divergence("pvi: q is not finite after round " + std::to_string(round));
    }
  }
  if (!from_belief(next).proper()) throw Divergence("pvi: q is no Gaussian in this precision any more");
  belief_.replace(std::move(next));
  prior_ = std::move(next_prior);
  std::vector<Verdict> verdicts;
  for (const Index agent : agents) {
    verdicts.push_back({.round = round, .agent = agent, .folded = true, .weight = rho});
  }
  return verdicts;
}

Particles PviServer::particles() const {
  Matrix noise(options_.particles, model_->dimension());
  const Rng stream({.seed = seed_, .agent = 0, .round = 0, .purpose = Purpose::kReparameterisation});
  Rng rng = stream.at_step(1);  // step 0 is the prior's noise
  rng.fill_normal(noise);
  return posterior().draws(noise);
}

DoubleVector PviServer::log_density(const ConstMatrixRef& theta) const {
  const NaturalGaussian q = posterior();
  if (!q.full()) return {};  // of a mean field in many dimensions nobody draws a density
  const GaussianDensity density({q.mean(), q.covariance()});
  DoubleVector out(theta.rows());
  for (Index n = 0; n < theta.rows(); ++n) out(n) = density.log_density(theta.row(n));
  return out;
}

std::string PviServer::save() const {
  StateWriter writer("pvi server");
  belief_.write(writer);
  writer.matrices(prior_);
  return std::move(writer).finish();
}

void PviServer::restore(const std::string& bytes) {
  StateReader reader(bytes, "pvi server");
  VersionedBelief belief = belief_.read(reader);
  Belief prior = reader.matrices();
  reader.finish();
  if (const std::string objection = belief_.objection({0, 0, prior}); !objection.empty()) {
    throw BadState("saved state: " + objection);
  }
  if (!from_belief(belief.parts()).proper()) {
    throw BadState("saved state: the precision of q is not positive definite");
  }
  belief_ = std::move(belief);
  prior_ = std::move(prior);
}

}  // namespace fedstein
