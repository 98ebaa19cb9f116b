// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

// The server of the sequential methods: one agent a round, whose particles replace the global ones.
class ReplaceServer : public ServerSide {
 public:
  explicit ReplaceServer(Particles start) : belief_({std::move(start)}) {}

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override { return belief_.objection(update); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return belief_.front(); }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  VersionedBelief belief_;
};

// The usual one: `options`' initial particles.
std::unique_ptr<ServerSide> make_replace_server(const ServerContext& context, const ParticleOptions& options);

}  // namespace fedstein
