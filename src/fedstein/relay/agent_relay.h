// SPDX-License-Identifier: Apache-2.0
// An agent behind an engine that others operate: it gets a message, works, and gives its answer. Between two messages
// it keeps nothing but its state folder, so that each may meet a new process; the work itself is AgentRunner's.
#pragma once

#include <functional>
#include <string>

#include "fedstein/relay/parcel.h"
#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/agent_work.h"

namespace fedstein {

struct AgentRelayOptions {
  std::string name = {};   // the agent's, as the server's configuration lists it
  std::string state = {};  // folder for what the agent keeps between messages
  // A word of the operator's by which a lost factor is given up: a word that this folder has seen before does nothing,
  // because the same options meet every message.
  std::string forget_factor = {};
  std::function<void(const std::string& line)> on_event = {};  // what the operator should hear
};

class AgentRelay {
 public:
  // Throws InvalidArgument.
  AgentRelay(AgentData data, AgentRelayOptions options);

  // Works on a message and says what to send back; everything that the answer promises is on disk before. Where the
  // agent cannot take part the answer says so in words fit for the server, and the operator hears the reason. Throws
  // BadState for bytes that are no message of a server.
  Parcel answer(const Parcel& message);
  // For whoever carries messages and had to stop in the middle of one (functions of a user's own may throw anything):
  // says that the agent could not take part, and nothing of why. What is on disk is found by the next hello.
  Parcel apology(const Parcel& message) const;

 private:
  AgentData data_;
  AgentRelayOptions options_;
};

// The same with a workshop of the caller's: the part of an agent that knows neither configurations nor files.
class AgentRelayWork {
 public:
  AgentRelayWork(AgentWorkshop& workshop, const AgentRelayOptions& options) : workshop_(workshop), options_(options) {}
  Parcel answer(const Parcel& message);

 private:
  AgentWorkshop& workshop_;
  const AgentRelayOptions& options_;
};

}  // namespace fedstein
