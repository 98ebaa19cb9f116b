// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/replace_server.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kOwner = "sequential server";

}  // namespace

std::vector<Task> ReplaceServer::plan(Index round, const std::vector<Index>& agents) const {
  check_argument(agents.size() == 1, "plan", [&] {
    return std::to_string(agents.size()) +
           " agents are scheduled for one round; a sequential method takes 1 (p-dsvgd is the parallel one)";
  });
  return belief_.plan(round, agents);
}

std::vector<Verdict> ReplaceServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(updates.size() == 1, "fold", "a sequential method takes 1 update a round");
  belief_.replace(updates.front().belief);
  return {{.round = round, .agent = updates.front().agent, .folded = true, .weight = 1}};
}

std::unique_ptr<ServerSide> make_replace_server(const ServerContext& context, const ParticleOptions& options) {
  return std::make_unique<ReplaceServer>(initial_particles(*context.model, options, context.seed));
}

std::string ReplaceServer::save() const {
  return belief_.save(kOwner);
}

void ReplaceServer::restore(const std::string& bytes) {
  belief_.restore(bytes, kOwner);
}

}  // namespace fedstein
