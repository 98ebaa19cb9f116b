// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/pvi.h"

namespace fedstein {

// Federated expectation propagation (Guo, Greengard, Wang, Gelman, Kim and Xing 2023, "Federated Learning as
// Variational Inference: A Scalable Expectation Propagation Approach") with diagonal Gaussians: q = p0 prod_k t_k as in
// PVI (pvi.h), but where PVI's agent improves a bound, FedEP's matches moments. In a round with the agents S:
//
//   agent k   samples its tilted distribution  q(i-1) / t_k(i-1) exp(-L_k / alpha)  by L Langevin steps of 2 `pairs`
//             chains; q_k is the Gaussian with the samples' means and variances, coordinate by coordinate; uploads q_k
//   server    q(i) = q(i-1) + rho sum over S of (q_k - q(i-1)) in natural parameters; t_k changes by its part of it
//
// Server, prior, state and traffic (2 d numbers each way) are PVI's, so that the two differ in q_k alone: variances
// here are those of each coordinate whatever the others do, PVI's those of each given the others, which are smaller.
//
// The paper offers several ways to q_k, with stochastic-gradient MCMC among them, and leaves their details open. Ours:
// - Chains are preconditioned by the tilted distribution's own scale: the cavity's precision plus the likelihood's
//   Gauss-Newton diagonal where the round begins. They start with that spread around q's mean. Noise is made smaller by
//   what a step's length and its minibatch add to the spread (as in stochastic gradient Fisher scoring, Ahn et al.
//   2012). One half of the chains has the other half's noise with the opposite sign.
// - In the second half of the steps, with scores s at places x:  precision = - cov(x, s) / var(x)  and mean = mean of x
// +
//   mean of s / precision. Under the tilted distribution cov(x, s) = -1 and the mean of s is 0, so that these are its
//   moments; but chance that x and s share cancels, and a Gaussian with independent coordinates is found exactly.
// - As in PVI a q_k that is far from q is approached by part of the way (within_reach).
// Only models with a Gauss-Newton curvature are served, and as for PVI no prior that is uniform on a box.
Algorithm fedep_algorithm();

class FedEpAgent : public PviAgent {
 public:
  FedEpAgent(const AgentContext& context, const GaussianSetup& options) : PviAgent("fedep agent", context, options) {}

 protected:
  NaturalGaussian answer(const Task& task) const override;
};

}  // namespace fedstein
