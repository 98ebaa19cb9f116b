// SPDX-License-Identifier: Apache-2.0
// What the Langevin samplers share: their settings and the loop that moves chains.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

// Of ParticleOptions the start, the batches and the temperature count; particles are the chains.
struct LangevinOptions : ParticleOptions {
  double a0 = 0.01;
  std::string noise = "langevin";     // langevin | released
  std::string chain_batches = "own";  // own | shared
  bool scale_by_particles = false;    // step / N
  std::string shard_weight = "rows";  // rows | agents | released; DSGLD and its kin
};

std::vector<Setting> langevin_settings(const std::string& a0_help);
// The setting `shard_weight` of the distributed ones.
Setting shard_weight_setting();
LangevinOptions langevin_options(const Settings& settings);

// a0 (0.5 + t)^-0.55 of the paper's appendix; over N where the options say so.
double langevin_step(const LangevinOptions& options, Index time);

// One stretch of stochastic gradient Langevin dynamics (Welling and Teh 2011) for every row of `chains`:
//
//   theta += step/2 * score(theta) + sqrt(step) * z,   z ~ N(0, 1) for every coordinate of every chain,
//
// step = langevin_step(options, time + l) at l = 0 .. steps-1, reflected into the model's support after every step.
//
// With several agents the noise has two parts (FALD): sqrt(shared) z' + sqrt(1 - shared) own_deviation z, where z' is
// drawn from a stream that all of them know.
//
// noise = "released" is what the paper's released code adds instead: one z for all chains and coordinates, of deviation
// step^2. With a0 = 0.01 that is next to nothing: the chains then descend and do not sample.
struct LangevinLoop {
  Index steps = 200;
  Index time = 0;              // t of the first step: what the step size falls with
  Index first_step = 0;        // what the first step is called in the streams of rows and noise
  StreamId noise = {};         // its purpose is taken to be kNoise whatever it says
  StreamId shared_noise = {};  // of z', likewise
  double shared = 0;           // of the variance; 0: z alone
  double own_deviation = 1;    // of z
};
// Throws Divergence when a chain leaves the finite numbers; the chains are then left as they came.
void langevin(
    const Model& model, const LangevinOptions& options, const LangevinLoop& loop, const Terms& terms, MatrixRef chains);

// The agent's minibatch likelihood as chains see it: in every step each has rows of its own ("own"), so that they are
// independent, or all the same ones ("shared", the released code's).
class ChainLikelihood : public Score {
 public:
  ChainLikelihood(const AgentContext& context, const LangevinOptions& options, Index round);
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  std::unique_ptr<MinibatchLikelihood> likelihood_;
  bool shared_;
  Index batch_;
};

}  // namespace fedstein
