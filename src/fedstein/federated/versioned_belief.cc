// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/versioned_belief.h"

#include <utility>

namespace fedstein {

std::vector<Task> VersionedBelief::plan(Index round, const std::vector<Index>& agents) const {
  std::vector<Task> tasks;
  tasks.reserve(agents.size());
  for (const Index agent : agents) {
    tasks.push_back({.round = round, .agent = agent, .version = version_, .belief = parts_, .verdict = {}});
  }
  return tasks;
}

void VersionedBelief::replace(Belief next) noexcept {
  parts_ = std::move(next);
  ++version_;
}

void VersionedBelief::write(StateWriter& writer) const {
  writer.integer(version_);
  writer.matrices(parts_);
}

VersionedBelief VersionedBelief::read(StateReader& reader) const {
  const Index version = reader.integer();
  VersionedBelief found(reader.matrices());
  if (version < 0) throw BadState("saved state: version " + std::to_string(version));
  found.version_ = version;
  if (const std::string objection = objection_to({0, 0, found.parts_}, parts_); !objection.empty()) {
    throw BadState("saved state: " + objection);
  }
  return found;
}

std::string VersionedBelief::save(std::string_view owner) const {
  StateWriter writer(owner);
  write(writer);
  return std::move(writer).finish();
}

void VersionedBelief::restore(const std::string& bytes, std::string_view owner) {
  StateReader reader(bytes, owner);
  VersionedBelief found = read(reader);
  reader.finish();
  *this = std::move(found);
}

}  // namespace fedstein
