// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/fedavg.h"

namespace fedstein {

struct FedBeSetup : PointOptions {
  Index samples = 10;              // M
  double deviation_scale = 1;      // of the fitted Gaussian
  double sharpening = 1;           // T of p^(1/T)
  Index distillation_epochs = 20;  // over the unlabelled inputs
  Index distillation_batch = 128;  // rows of a student's step
  std::string distillation_rule = "adam";
  double distillation_rate = 0.01;
  Index swa_cycle = 25;  // steps between two weights that are averaged
};

// FedBE (Chen and Chao 2021, "FedBE: Making Bayesian Model Ensemble Applicable to Federated Learning", Algorithm 1, the
// Gaussian form). Agents are FedAvg's. With the agents S of a round the server
//
//   fits       mu = sum n_k/n_S w_k,   sigma^2 = sum n_k/n_S (w_k - mu)^2 per coordinate
//   samples    M models from N(mu, diag sigma^2); with mu and the agents' w_k they are the ensemble, M + 1 + |S| models
//   labels     its unlabelled inputs with the mean of the ensemble's predictions
//   distils    a student from mu on these labels, its weights averaged over the way (SWA): sent out in the next round
//
// What predicts, particles(), is the ensemble: row 0 is mu, then the agents, then the samples. The belief is the
// student. With one agent a round sigma is 0 and the method is FedAvg: it needs several.
//
// Choices, where the paper (P) and its authors' released code (C) leave room or differ:
// - weights by rows and deviation_scale = 1 as P; C counts agents equally and takes 0.1 of the deviation.
// - sharpening = 1 as P's algorithm; C raises the averaged probabilities to 1/T with T = 0.5.
// - M = 10, 20 epochs, batches of 128, a cycle of 25: both. Averaging begins after half of the steps (C: 500 of some
//   1500), at a constant rate as in C (P lets it fall within each cycle), and always takes the last weights.
// - the student takes Adam's steps of 0.01 instead of SGD's of 0.001, for it must move on any model. The agents'
// AdaGrad
//   (`distillation_rule`) is a bad choice on sparse inputs (Covertype, K = 2: log-likelihood -0.55 after 10 rounds,
//   without any student -0.52), it seems because its steps are nearly of equal length there, so that a feature that is
//   rarely seen goes where most of its labels point; plain steps do no harm there and teach networks too slowly.
// - KL to soft labels: a row enters a step as kCopies equal rows whose labels are a systematic sample of the teacher's
//   probabilities, an unbiased estimate of the soft-label gradient that needs no model to know of soft labels. A
//   regression's teacher is a Gaussian (ours; P knows classes only): labels mean +- deviation match both its moments,
//   so that the student's noise level learns the ensemble's spread too.
// The log precision of logistic regression gets no gradient anywhere: it stays at its start in all models.
Algorithm fedbe_algorithm(const ParticleExtras& extras = {});

class FedBeServer : public PointServer {
 public:
  // Refuses a context without unlabelled inputs.
  FedBeServer(const ServerContext& context, const FedBeSetup& options);

  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return ensemble_; }

 protected:
  std::vector<Matrix> memory() const override { return {ensemble_}; }
  void recall(std::vector<Matrix> memory) override;

 private:
  Particles sample_ensemble(Index round, const std::vector<Update>& updates, const std::vector<double>& weights) const;
  Matrix distil(Index round, const Particles& teachers) const;

  const Model* model_;
  const Matrix* unlabelled_;
  FedBeSetup options_;
  StreamId stream_;     // the server's own: an agent's number that no agent has
  LocalSvgd descent_;   // one particle: the student's gradient steps
  Particles ensemble_;  // before the first round the start alone
};

}  // namespace fedstein
