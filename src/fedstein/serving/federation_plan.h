// SPDX-License-Identifier: Apache-2.0
// A networked federation's configuration, as server and agents both read it: one case, one method, one trial.
#pragma once

#include <memory>
#include <string>

#include "fedstein/config/plan.h"
#include "fedstein/config/server_plan.h"

namespace fedstein {

struct FederationPlan {
  Plan plan = {};
  ServerPlan server = {};
  Index agents = 0;
  std::uint64_t seed = 0;  // of the one trial, as `fedstein run` has it

  const CasePlan& setting() const { return plan.cases.front(); }
  const AlgorithmPlan& algorithm() const { return setting().algorithms.front(); }
  std::unique_ptr<Model> make_model(Index features, Index classes) const;
  // What agents are told of it.
  std::string charter(Index features, Index classes) const;
};

// From a configuration, with all its mistakes at once; `file` is its name in them. `data_folder`: where a named dataset
// may lie. `registry`: the methods and models that can be named; the plan points into it.
FederationPlan parse_federation(const std::string& document,
                                const std::string& file,
                                const std::string& data_folder,
                                const Registry& registry = Registry::standard());
FederationPlan parse_federation(const std::string&, const std::string&, const std::string&, const Registry&&) = delete;
// From what the server tells.
FederationPlan federation_from_charter(const std::string& charter, const Registry& registry = Registry::standard());
FederationPlan federation_from_charter(const std::string&, const Registry&&) = delete;

// Columns and classes of the rows: as [server] says, else what is known of the named dataset. Throws InvalidArgument
// when neither helps.
struct RowShape {
  Index features = 0;
  Index classes = 0;
};
RowShape row_shape(const FederationPlan& federation);

}  // namespace fedstein
