// SPDX-License-Identifier: Apache-2.0
// A networked federation's result as a posterior file, though the server has seen no row.
#pragma once

#include <string>
#include <vector>

#include "fedstein/serving/federation_plan.h"

namespace fedstein {

struct ServedRows {
  const FederationPlan* federation = nullptr;
  RowShape shape = {};
  std::vector<Index> rows = {};  // of each agent
  std::string statistics = {};   // of all agents, for the scaling; column_sums.h
  std::string data_folder = {};  // where a named dataset may lie: simulated agents send no sums
};

// Writes it into the state folder, below posteriors/, and says where, or why there is none: the run itself is whole
// either way, and its particles are in the store.
std::string save_served_posterior(const ServedRows& served, const Particles& particles);

}  // namespace fedstein
