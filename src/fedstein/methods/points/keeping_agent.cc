// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/points/keeping_agent.h"

#include "fedstein/federated/state.h"

namespace fedstein {

void KeepingAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (const auto waited = pending_.settle(verdict)) kept_ = kept_after(as_sent, waited->front());
}

std::string KeepingAgent::save() const {
  StateWriter writer(owner_);
  writer.matrix(kept_);
  pending_.write(writer);
  return std::move(writer).finish();
}

void KeepingAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, owner_);
  Matrix kept = reader.matrix();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  const auto refuse_unlike = [&](const std::vector<Matrix>& found) {
    const std::string objection = objection_to({0, 0, found}, {kept_});
    if (!objection.empty()) throw BadState("saved state: what the agent keeps: " + objection);
  };
  refuse_unlike({kept});
  if (pending.round() > 0) refuse_unlike(pending.values());
  kept_ = std::move(kept);
  pending_ = std::move(pending);
}

}  // namespace fedstein
