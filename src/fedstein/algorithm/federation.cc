// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/federation.h"

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

LocalFederation::LocalFederation(const Algorithm& algorithm,
                                 const Settings& settings,
                                 const Model& model,
                                 const std::vector<Batch>& shards,
                                 const FederationOptions& options) {
  check_argument(!shards.empty(), "LocalFederation", "no shards; at least 1 agent is needed");
  check_argument(!algorithm.centralised || shards.size() == 1, "LocalFederation", [&] {
    return algorithm.name + " is centralised and takes 1 shard, not " + std::to_string(shards.size());
  });
  if (algorithm.objection) {
    const std::string objection = algorithm.objection(model);
    check_argument(objection.empty(), algorithm.name.c_str(), objection);
  }
  ServerContext at_server{.model = &model, .rows = {}, .seed = options.seed, .unlabelled = options.unlabelled};
  Index total = 0;
  for (const Batch& shard : shards) {
    model.check_data(shard);
    at_server.rows.push_back(shard.x.rows());
    total += shard.x.rows();
  }
  server_ = algorithm.make_server(at_server, settings);
  for (std::size_t k = 0; k < shards.size(); ++k) {
    const AgentContext at_agent =
        context_of(model, shards[k], static_cast<Index>(k), {static_cast<Index>(shards.size()), total}, options.seed);
    agents_.push_back(algorithm.make_agent(at_agent, settings));
  }
}

std::vector<AgentSide*> LocalFederation::agent_pointers() const {
  std::vector<AgentSide*> pointers;
  for (const auto& agent : agents_) pointers.push_back(agent.get());
  return pointers;
}

std::string LocalFederation::save() const {
  StateWriter writer("federation");
  const auto append = [&](const std::string& bytes) { writer.text(bytes); };
  append(server_->save());
  writer.integer(agents());
  for (const auto& agent : agents_) append(agent->save());
  return std::move(writer).finish();
}

void LocalFederation::restore(const std::string& bytes) {
  StateReader reader(bytes, "federation");
  const std::string server = reader.text();
  if (const std::int64_t count = reader.integer(); count != agents()) {
    throw BadState("saved state: " + std::to_string(count) + " agents; this federation has " +
                   std::to_string(agents()));
  }
  std::vector<std::string> states;
  for (Index k = 0; k < agents(); ++k) states.push_back(reader.text());
  reader.finish();
  // All or nothing: a part that is refused takes the parts before it back with it.
  const std::string before = save();
  try {
    server_->restore(server);
    for (std::size_t k = 0; k < states.size(); ++k) agents_[k]->restore(states[k]);
  } catch (...) {
    if (bytes != before) restore(before);
    throw;
  }
}

}  // namespace fedstein
