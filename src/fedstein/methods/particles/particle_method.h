// SPDX-License-Identifier: Apache-2.0
// What the particle methods share: their settings, their start, and the local SVGD loop of an agent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/stein/svgd_engine.h"

namespace fedstein {

// Sees the local loop of every round: called before each step l = 0 .. L-1, and once more with the result, l = L, and
// what a next step would find there. Agents of one round call it at the same time.
using LocalTrace = std::function<void(Index round, Index agent, const SvgdOptions::Trace& at)>;

struct ParticleOptions {
  Index particles = 6;          // N
  Index local_steps = 200;      // L
  Index batch = 100;            // rows per step, min(batch, n_k)
  double temperature = 1;       // alpha
  double kde_bandwidth = 0.55;  // lambda
  std::string kernel_bandwidth = "paper";
  std::string start = "prior";
  std::string step_rule = "adagrad";
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string repulsion = "none";   // predictions | none
  double repulsion_strength = 0.1;  // gamma
  Particles given_start = {};       // overrides `start` when not empty

  Index rows() const { return given_start.size() > 0 ? given_start.rows() : particles; }
  LocalTrace trace = {};
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: CpuEngine
};

// Those of the options that no setting can hold. They come from typed options (methods.h) and are kept by the functions
// that make an algorithm's halves.
struct ParticleExtras {
  Particles given_start = {};
  LocalTrace trace = {};
  std::shared_ptr<const SvgdEngine> engine = {};

  // The options, read from settings, with these beside them.
  template <typename Options>
  Options in(Options options) const {
    options.given_start = given_start;
    options.trace = trace;
    options.engine = engine;
    return options;
  }
};

// Makes a half from its context and the method's options: what make_server and make_agent of most methods do.
template <typename Half, typename OptionsOf>
auto makes(OptionsOf options_of, const ParticleExtras& extras) {
  return [options_of, extras](const auto& context, const Settings& settings) {
    return std::make_unique<Half>(context, extras.in(options_of(settings)));
  };
}

std::vector<Setting> particle_settings();
// Those of them that a method shares, in the order named; an unknown key throws.
std::vector<Setting> shared_settings(const std::vector<std::string>& keys);
// The setting of that key in a list, to give it another default or help. Throws when there is none.
Setting& setting_named(const std::string& key, std::vector<Setting>& settings);
ParticleOptions particle_options(const Settings& settings);

// The deviation of `start` = "near-zero".
inline constexpr double kNearZeroDeviation = 0.1;
// The particles before the first round. Every half of a federation draws the same ones from the seed. Throws
// InvalidArgument for a given start of another dimension.
Particles initial_particles(const Model& model, const ParticleOptions& options, std::uint64_t seed);

// Names the random numbers of an agent's round.
StreamId minibatch_stream(const AgentContext& context, Index round);
// The agent's minibatch likelihood of a round: rows depend on (seed, agent, round, step) alone.
std::unique_ptr<MinibatchLikelihood> likelihood_of(const AgentContext& context,
                                                   const ParticleOptions& options,
                                                   Index round);

// The task's particles as the local loop starts from them: before anybody's data they may be adapted to this agent's
// (noise levels of a network).
Particles starting_point(const AgentContext& context, const Task& task);

// SVGD with the method's kernel, step rule and engine, and the model's bounds. A call is one unit of work for the
// engine.
class LocalSvgd {
 public:
  LocalSvgd(const Model& model, const ParticleOptions& options);

  // The L local steps of a task.
  void operator()(Particles& particles, const Terms& terms, const Task& task) const;
  // The same as `how` says, made by options(); for loops that go on over rounds.
  void operator()(Particles& particles, const Terms& terms, const Task& task, SvgdOptions how) const;
  // Steps that are no agent's local loop (distillation, a server's fold), which the trace does not see.
  void operator()(Particles& particles, const Terms& terms, Index steps) const;
  // The same as `how` says.
  SvgdSummary run(MatrixRef particles, const Terms& terms, const SvgdOptions& how) const;

  const Kernel& kernel() const { return *kernel_; }
  const StepRule& step_rule() const { return *step_rule_; }
  SvgdOptions options(Index steps) const;

 private:
  const Model* model_;
  Index local_steps_;
  LocalTrace trace_;
  std::shared_ptr<const SvgdEngine> engine_;
  std::shared_ptr<const Kernel> kernel_;  // shared so that an agent's loop is a value
  std::shared_ptr<const StepRule> step_rule_;
};

}  // namespace fedstein
