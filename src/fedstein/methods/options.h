// SPDX-License-Identifier: Apache-2.0
// The methods' options as C++ types, for methods.h. A member is called as its setting is in configuration files, has
// the same default and means the same; docs/reference.md says what is allowed. The structs have no base class, so that
// {.particles = 30} names a member.
#pragma once

#include <memory>
#include <string>

#include "fedstein/methods/particles/particle_method.h"

namespace fedstein::methods {

struct CDsvgdOptions {
  Index particles = 8;                            // N
  Index local_steps = 20;                         // L
  Index batch = 100;                              // rows per step, at most the agent's
  double temperature = 1;                         // alpha: the loss counts 1/alpha
  std::string kernel_bandwidth = "original";      // paper | original
  double momentum = 0.8;                          // of steps or of the server; 0 in turn
  std::string start = "usual";                    // usual | prior | near-zero
  std::string kernel = "auto";                    // auto | rbf | none
  std::string repulsion = "auto";                 // auto | predictions | none
  double repulsion_strength = 0.1;                // of the predictions
  double step = 0.2;                              // the first one
  bool step_control = true;                       // finds all others
  bool preconditioner = true;                     // scales coordinates by their scores
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

struct SvgdOptions {
  Index particles = 6;                     // N
  Index local_steps = 200;                 // L, SVGD steps of a round
  Index batch = 100;                       // rows per step, at most the agent's
  double temperature = 1;                  // alpha: the loss counts 1/alpha
  double kde_bandwidth = 0.55;             // lambda
  std::string kernel_bandwidth = "paper";  // paper | original
  std::string start = "prior";             // prior | near-zero
  std::string step_rule = "adagrad";       // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;                          // of AdaGrad
  double momentum = 0.9;                          // of AdaGrad
  std::string repulsion = "none";                 // predictions | none
  double repulsion_strength = 0.1;                // gamma
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

struct DsvgdOptions {
  Index particles = 6;                     // N
  Index local_steps = 200;                 // L, SVGD steps of a round
  Index batch = 100;                       // rows per step, at most the agent's
  double temperature = 1;                  // alpha: the loss counts 1/alpha
  double kde_bandwidth = 0.55;             // lambda
  std::string kernel_bandwidth = "paper";  // paper | original
  std::string start = "prior";             // prior | near-zero
  std::string step_rule = "adagrad";       // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;                          // of AdaGrad
  double momentum = 0.9;                          // of AdaGrad
  std::string factor = "distilled";               // distilled | curvature
  std::string distillation = "score";             // score | svgd | reference
  Index distillation_steps = 200;                 // L'
  double ridge = 1e-3;                            // of the score field
  double trust = 2;                               // of curvature factors
  Index score_rows = 0;                           // of curvature factors; 0: all
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

struct UDsvgdOptions {
  Index particles = 6;                     // N
  Index local_steps = 200;                 // L, SVGD steps of a round
  Index batch = 100;                       // rows per step, at most the agent's
  double temperature = 1;                  // alpha: the loss counts 1/alpha
  double kde_bandwidth = 0.55;             // lambda
  std::string kernel_bandwidth = "paper";  // paper | original
  std::string start = "prior";             // prior | near-zero
  std::string step_rule = "adagrad";       // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;                          // of AdaGrad
  double momentum = 0.9;                          // of AdaGrad
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

struct PDsvgdOptions {
  Index particles = 6;                     // N
  Index local_steps = 200;                 // L, SVGD steps of a round
  Index batch = 100;                       // rows per step, at most the agent's
  double temperature = 1;                  // alpha: the loss counts 1/alpha
  double kde_bandwidth = 0.55;             // lambda
  std::string kernel_bandwidth = "paper";  // paper | original
  std::string start = "prior";             // prior | near-zero
  std::string step_rule = "adagrad";       // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;                          // of AdaGrad
  double momentum = 0.9;                          // of AdaGrad
  std::string factor = "distilled";               // distilled | curvature
  std::string distillation = "score";             // score | svgd | reference
  Index distillation_steps = 200;                 // L'
  double ridge = 1e-3;                            // of the score field
  double trust = 2;                               // of curvature factors
  Index score_rows = 0;                           // of curvature factors; 0: all
  std::string fold = "mean";                      // mean | svgd | barycentre | paper
  double damping = 0;                             // rho; 0: 1/|S|
  Index server_steps = 200;                       // L_s
  std::string repulsion = "none";                 // predictions | none
  double repulsion_strength = 0.1;                // gamma
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

struct SgldOptions {
  Index particles = 6;      // chains N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";        // prior | near-zero
  double a0 = 0.01;                   // step a0 (0.5 + t)^-0.55
  std::string noise = "langevin";     // langevin | released
  std::string chain_batches = "own";  // own | shared
  bool scale_by_particles = false;
  Particles given_start = {};  // N x d; overrides `start` and `particles` when not empty
};

struct DsgldOptions {
  Index particles = 6;      // chains N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";        // prior | near-zero
  double a0 = 0.01;                   // step a0 (0.5 + t)^-0.55
  std::string noise = "langevin";     // langevin | released
  std::string chain_batches = "own";  // own | shared
  bool scale_by_particles = false;
  std::string shard_weight = "rows";  // rows | agents | released
  Particles given_start = {};         // N x d; overrides `start` and `particles` when not empty
};

struct FsgldOptions {
  Index particles = 6;      // chains N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";        // prior | near-zero
  double a0 = 0.01;                   // step a0 (0.5 + t)^-0.55
  std::string noise = "langevin";     // langevin | released
  std::string chain_batches = "own";  // own | shared
  bool scale_by_particles = false;
  std::string shard_weight = "rows";  // rows | agents
  Index surrogate_steps = 2000;       // once, at every agent
  Particles given_start = {};         // N x d; overrides `start` and `particles` when not empty
};

struct FedAvgOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;             // with `prior`, the prior counts alpha times
  std::string step_rule = "adagrad";  // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | released
  std::string tuning = "own";      // own | shared
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct FedSgdOptions {
  double temperature = 1;             // with `prior`, the prior counts alpha times
  std::string step_rule = "adagrad";  // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";  // usual | zero | prior
  bool prior = false;           // maximum a posteriori instead of minimum loss
  Particles given_start = {};   // 1 x d; overrides `start` when not empty
};

struct FedProxOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;             // with `prior`, the prior counts alpha times
  std::string step_rule = "adagrad";  // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";  // usual | zero | prior
  bool prior = false;           // maximum a posteriori instead of minimum loss
  double mu = 0.01;             // pull to the server's weights
  std::string tuning = "own";   // own | shared
  Particles given_start = {};   // 1 x d; overrides `start` when not empty
};

struct ScaffoldOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 1;          // eta_g
  std::string tuning = "own";      // own | shared
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct ScaffoldMOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 1;          // eta_g
  double beta = 0.1;               // 1: SCAFFOLD
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct FedAdagradOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 0.1;        // eta
  double beta1 = 0;
  double tau = 1e-3;
  Particles given_start = {};  // 1 x d; overrides `start` when not empty
};

struct FedAdamOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 0.03;       // eta
  double beta1 = 0.9;
  double beta2 = 0.99;
  double tau = 1e-3;
  Particles given_start = {};  // 1 x d; overrides `start` when not empty
};

struct FedYogiOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 0.03;       // eta
  double beta1 = 0.9;
  double beta2 = 0.99;
  double tau = 1e-3;
  Particles given_start = {};  // 1 x d; overrides `start` when not empty
};

struct FedNovaOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  Index local_epochs = 0;          // passes over the agent's rows; 0: local_steps
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct FedDynOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  double alpha = 0.1;              // the pull
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct MimeOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;  // with `prior`, the prior counts alpha times
  double learning_rate = 0.1;
  double momentum = 0.9;           // beta, of the server
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  std::string weighting = "rows";  // rows | uniform
  bool lite = false;               // MimeLite
  Particles given_start = {};      // 1 x d; overrides `start` when not empty
};

struct FedBeOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;             // with `prior`, the prior counts alpha times
  std::string step_rule = "adagrad";  // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";     // usual | zero | prior
  bool prior = false;              // maximum a posteriori instead of minimum loss
  Index samples = 10;              // M
  double deviation_scale = 1;      // of the fitted Gaussian
  double sharpening = 1;           // T of p^(1/T)
  Index distillation_epochs = 20;  // over the unlabelled inputs
  Index distillation_batch = 128;
  std::string distillation_rule = "adam";  // adagrad | adam | plain
  double distillation_rate = 0.01;
  Index swa_cycle = 25;
  Particles given_start = {};  // 1 x d; overrides `start` when not empty
};

struct PviOptions {
  Index particles = 50;     // draws from q that predict
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  double rate = 0.1;                // of the fixed-point steps
  Index pairs = 4;                  // antithetic draws of a step, mean field only
  std::string covariance = "auto";  // auto | diagonal
  std::string start = "auto";       // auto | prior | draw
  double damping = 0;               // rho; 0: 1/|S|
};

struct GviOptions {
  Index particles = 50;     // draws from q that predict
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  double rate = 0.1;                // of the fixed-point steps
  Index pairs = 4;                  // antithetic draws of a step, mean field only
  std::string covariance = "auto";  // auto | diagonal
  std::string start = "auto";       // auto | prior | draw
};

struct PmdOptions {
  Index particles = 6;      // N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";  // prior | near-zero
  double step = 0.2;            // eta_t = step t^-step_decay
  double step_decay = 0;
  double bandwidth = 0.55;  // lambda_t = bandwidth t^-bandwidth_decay
  double bandwidth_decay = 0.3;
};

struct NpvOptions {
  Index particles = 6;     // components of the mixture, N
  Index local_steps = 20;  // L-BFGS steps at most, for each mean and for the variances
  double temperature = 1;
  std::string start = "prior";  // prior | near-zero
  Index rows = 10000;           // of a round, at most
  double start_deviation = 1;   // of every component
};

struct EnsembleOptions {
  Index particles = 6;            // members N
  std::string member = "fedavg";  // fedavg | scaffold
  Index local_steps = 200;        // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;             // with `prior`, the prior counts alpha times
  std::string step_rule = "adagrad";  // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";  // usual | zero | prior
  bool prior = false;           // maximum a posteriori instead of minimum loss
  Particles given_start = {};   // N x d; overrides `start` and `particles` when not empty
};

struct FaldOptions {
  Index particles = 6;      // chains N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";        // prior | near-zero
  double a0 = 0.01;                   // step a0 (0.5 + t)^-0.55
  std::string chain_batches = "own";  // own | shared
  double shared_noise = 1;            // tau
  Particles given_start = {};         // N x d; overrides `start` and `particles` when not empty
};

struct VrFaldOptions {
  Index particles = 6;      // chains N
  Index local_steps = 200;  // L
  Index batch = 100;
  double temperature = 1;
  std::string start = "prior";        // prior | near-zero
  double a0 = 0.01;                   // step a0 (0.5 + t)^-0.55
  std::string chain_batches = "own";  // own | shared
  double shared_noise = 1;            // tau
  Index refresh = 1;                  // rounds between two references of an agent
  Particles given_start = {};         // N x d; overrides `start` and `particles` when not empty
};

struct FedPaOptions {
  Index local_steps = 200;  // gradient steps of a round, L
  Index batch = 100;
  double temperature = 1;           // with `prior`, the prior counts alpha times
  std::string step_rule = "plain";  // adagrad | adam | plain
  double learning_rate = 0.1;
  double epsilon = 1e-9;
  double momentum = 0.9;
  std::string start = "usual";  // usual | zero | prior
  bool prior = false;           // maximum a posteriori instead of minimum loss
  Index samples = 4;            // l, posterior samples of an agent's round
  double shrinkage = 0.01;      // rho
  Index burn_in_rounds = 20;    // of FedAvg
  double server_rate = 1;
  Particles given_start = {};  // 1 x d; overrides `start` when not empty
};

struct FedEpOptions {
  Index particles = 50;     // draws from q that predict
  Index local_steps = 200;  // Langevin steps of a round, L
  Index batch = 100;
  double temperature = 1;
  Index pairs = 16;            // antithetic pairs of chains
  std::string start = "auto";  // auto | prior | draw
  double damping = 0;          // rho; 0: 1/|S|
};

struct SdsvgdOptions {
  Index particles = 6;                     // N
  Index local_steps = 200;                 // L, SVGD steps of a round
  Index batch = 100;                       // rows per step, at most the agent's
  double temperature = 1;                  // alpha: the loss counts 1/alpha
  double kde_bandwidth = 0.55;             // lambda
  std::string kernel_bandwidth = "paper";  // paper | original
  std::string start = "prior";             // prior | near-zero
  std::string step_rule = "adagrad";       // adagrad | adam | plain
  double learning_rate = 0.05;
  double epsilon = 1e-9;                          // of AdaGrad
  double momentum = 0.9;                          // of AdaGrad
  double damping = 0;                             // rho; 0: 1/|S|
  Index distillation_steps = 0;                   // L'; 0: no averaged likelihood particles
  Particles given_start = {};                     // N x d; overrides `start` and `particles` when not empty
  LocalTrace trace = {};                          // sees every local step
  std::shared_ptr<const SvgdEngine> engine = {};  // computes the local rounds; null: this processor
};

}  // namespace fedstein::methods
