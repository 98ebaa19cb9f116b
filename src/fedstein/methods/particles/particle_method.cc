// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/particle_method.h"

#include <algorithm>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/direction.h"

namespace fedstein {
namespace {

constexpr double kSmallestValue = 1e-9;  // stands for "above 0": its square is still a float

std::shared_ptr<const StepRule> make_step_rule(const ParticleOptions& options) {
  if (options.step_rule == "adam") return std::make_shared<Adam>(Adam::Options{.learning_rate = options.learning_rate});
  if (options.step_rule == "plain") return std::make_shared<PlainStep>(options.learning_rate);
  return std::make_shared<AdaGrad>(AdaGrad::Options{
      .learning_rate = options.learning_rate, .epsilon = options.epsilon, .momentum = options.momentum});
}

}  // namespace

std::vector<Setting> particle_settings() {
  const ParticleOptions standard;
  return {
      {.key = "particles", .standard = standard.particles, .help = "number of particles N", .least = 1},
      {.key = "local_steps", .standard = standard.local_steps, .help = "SVGD steps in a round, L", .least = 0},
      {.key = "batch",
       .standard = standard.batch,
       .help = "rows of a minibatch; at most all rows of the agent",
       .least = 1},
      {.key = "temperature",
       .standard = standard.temperature,
       .help = "temperature alpha: the loss is divided by it",
       .least = kSmallestValue},
      {.key = "kde_bandwidth",
       .standard = standard.kde_bandwidth,
       .help = "bandwidth of the kernel density estimates, lambda",
       .least = kSmallestValue},
      {.key = "kernel_bandwidth",
       .standard = standard.kernel_bandwidth,
       .help = "median rule for the bandwidth of the RBF kernel: the paper's, or that of the original SVGD code",
       .choices = {"paper", "original"}},
      {.key = "start",
       .standard = standard.start,
       .help = "initial particles: prior draws, or N(0, 0.1^2)",
       .choices = {"prior", "near-zero"}},
      {.key = "step_rule",
       .standard = standard.step_rule,
       .help = "optimiser that turns directions into steps; plain: direction times learning_rate",
       .choices = {"adagrad", "adam", "plain"}},
      {.key = "learning_rate",
       .standard = standard.learning_rate,
       .help = "step size of the step rule",
       .least = kSmallestValue},
      {.key = "epsilon", .standard = standard.epsilon, .help = "AdaGrad's smoothing term", .least = kSmallestValue},
      {.key = "momentum", .standard = standard.momentum, .help = "AdaGrad's momentum", .least = 0, .most = 0.999999},
  };
}

std::vector<Setting> shared_settings(const std::vector<std::string>& keys) {
  std::vector<Setting> all = particle_settings();
  std::vector<Setting> chosen;
  for (const std::string& key : keys) chosen.push_back(setting_named(key, all));
  return chosen;
}

Setting& setting_named(const std::string& key, std::vector<Setting>& settings) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.key == key; });
  check_argument(found != settings.end(), "setting_named", [&] { return "there is no key '" + key + "'"; });
  return *found;
}

ParticleOptions particle_options(const Settings& settings) {
  ParticleOptions options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.kde_bandwidth = settings.number("kde_bandwidth");
  options.kernel_bandwidth = settings.text("kernel_bandwidth");
  options.start = settings.text("start");
  options.step_rule = settings.text("step_rule");
  options.learning_rate = settings.number("learning_rate");
  options.epsilon = settings.number("epsilon");
  options.momentum = settings.number("momentum");
  return options;
}

Particles initial_particles(const Model& model, const ParticleOptions& options, std::uint64_t seed) {
  if (options.given_start.size() > 0) {
    check_columns("start", "given_start", options.given_start, model.dimension());
    check_finite("start", "given_start", options.given_start);
    return options.given_start;
  }
  Particles particles(options.particles, model.dimension());
  Rng rng({.seed = seed, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  if (options.start == "near-zero") {
    rng.fill_normal(particles, 0, kNearZeroDeviation);
  } else {
    model.draw_prior(rng, particles);
  }
  return particles;
}

StreamId minibatch_stream(const AgentContext& context, Index round) {
  return {.seed = context.seed,
          .agent = static_cast<std::uint64_t>(context.agent),
          .round = static_cast<std::uint64_t>(round),
          .purpose = Purpose::kMinibatch};
}

std::unique_ptr<MinibatchLikelihood> likelihood_of(const AgentContext& context,
                                                   const ParticleOptions& options,
                                                   Index round) {
  return std::make_unique<MinibatchLikelihood>(
      *context.model, context.data, options.batch, minibatch_stream(context, round));
}

Particles starting_point(const AgentContext& context, const Task& task) {
  Particles particles = task.belief.front();
  if (task.version == 0) context.model->fit_start(context.data, particles);
  return particles;
}

LocalSvgd::LocalSvgd(const Model& model, const ParticleOptions& options)
    : model_(&model),
      local_steps_(options.local_steps),
      trace_(options.trace),
      engine_(options.engine != nullptr ? options.engine : std::make_shared<const CpuEngine>()),
      kernel_(std::make_shared<RbfKernel>(Bandwidth::named(options.kernel_bandwidth))),
      step_rule_(make_step_rule(options)) {}

SvgdOptions LocalSvgd::options(Index steps) const {
  return {.steps = steps, .kernel = kernel_.get(), .step_rule = step_rule_.get(), .constrain = constraint_of(*model_)};
}

void LocalSvgd::operator()(Particles& particles, const Terms& terms, Index steps) const {
  run(particles, terms, options(steps));
}

SvgdSummary LocalSvgd::run(MatrixRef particles, const Terms& terms, const SvgdOptions& how) const {
  return engine_->run(particles, terms, how);
}

void LocalSvgd::operator()(Particles& particles, const Terms& terms, const Task& task) const {
  (*this)(particles, terms, task, options(local_steps_));
}

void LocalSvgd::operator()(Particles& particles, const Terms& terms, const Task& task, SvgdOptions how) const {
  if (trace_) how.observe = [&](const SvgdOptions::Trace& at) { trace_(task.round, task.agent, at); };
  const SvgdSummary summary = run(particles, terms, how);
  if (!trace_) return;
  const Index step = how.first_step + summary.steps;
  Matrix scores(particles.rows(), particles.cols());
  Matrix direction(particles.rows(), particles.cols());
  evaluate_terms(whole_target(terms, how), particles, step, scores);
  stein_direction(*how.kernel, particles, scores, direction);
  trace_(task.round, task.agent, {step, particles, scores, direction});
}

}  // namespace fedstein
