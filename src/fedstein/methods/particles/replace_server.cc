// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/replace_server.h"

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

std::vector<Task> ReplaceServer::plan(Index round, const std::vector<Index>& agents) const {
  check_argument(agents.size() == 1, "plan", [&] {
    return std::to_string(agents.size()) +
           " agents are scheduled for one round; a sequential method takes 1 (p-dsvgd is the parallel one)";
  });
  return {{.round = round, .agent = agents.front(), .version = version_, .belief = belief_, .verdict = {}}};
}

std::vector<Verdict> ReplaceServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(updates.size() == 1, "fold", "a sequential method takes 1 update a round");
  belief_ = updates.front().belief;
  ++version_;
  return {{.round = round, .agent = updates.front().agent, .folded = true, .weight = 1}};
}

std::unique_ptr<ServerSide> make_replace_server(const ServerContext& context, const ParticleOptions& options) {
  return std::make_unique<ReplaceServer>(initial_particles(*context.model, options, context.seed));
}

std::string ReplaceServer::save() const {
  StateWriter writer("sequential server");
  writer.integer(version_);
  writer.matrices(belief_);
  return std::move(writer).finish();
}

void ReplaceServer::restore(const std::string& bytes) {
  StateReader reader(bytes, "sequential server");
  const Index version = reader.integer();
  Belief belief = reader.matrices();
  reader.finish();
  if (const std::string objection = objection_to({0, 0, belief}, belief_); !objection.empty()) {
    throw BadState("saved state: " + objection);
  }
  version_ = version;
  belief_ = std::move(belief);
}

}  // namespace fedstein
