// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/base/settings.h"
#include "fedstein/model/model.h"

namespace fedstein {

// Without the paper's preset: what fedstein's own defaults of a method depend on, namely the model. Some things do. A
// start from prior draws is replaced by one near zero where zero is a start at all (not for networks) and the model has
// data (not for the toys, whose modes lie apart). AdaGrad's rate of logistic regression would break a network, and so
// would the Langevin methods' steps. Points that learn a classifier take plain steps, as those do that have no AdaGrad:
// otherwise FedAvg would look worse than its relatives for the sake of its steps.
void apply_own_defaults(const Model& model, Settings& settings);

}  // namespace fedstein
