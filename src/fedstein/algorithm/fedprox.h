// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/algorithm/fedavg.h"

namespace fedstein {

// FedProx (Li, Sahu, Zaheer, Sanjabi, Talwalkar and Smith 2020, "Federated Optimization in Heterogeneous Networks",
// Algorithm 2): FedAvg whose agents minimise F_k(w) + mu/2 |w - w_server|^2, so that many local steps on skewed data do
// not carry them away.
//
// Choices: agents are scheduled and averaged as FedAvg's (the paper samples them by n_k and averages equally, the same
// in expectation); every agent does the same L steps, so the paper's gamma-inexactness is not needed. The default mu =
// 0.1 lies in the middle of the grid of their experiments, 0.001 to 1. mu = 0 is FedAvg.
Algorithm fedprox_algorithm();

}  // namespace fedstein
