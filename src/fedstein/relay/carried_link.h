// SPDX-License-Identifier: Apache-2.0
// One message from the server as an AgentLink: what the runner hears is in the message, what it says becomes the
// answer. Private.
#pragma once

#include <exception>
#include <string>

#include "fedstein/exchange/agent_link.h"
#include "fedstein/relay/relay_messages.h"

namespace fedstein {

// The message is read to its end: nothing more is to be done before the next one.
class MessageDone : public std::exception {
 public:
  const char* what() const noexcept override { return "the message is done"; }
};

class CarriedLink : public AgentLink {
 public:
  // A message with a charter.
  CarriedLink(const RelayMessage& message, RelayAnswer& answer) : message_(message), answer_(answer) {}

  const std::string& server() const override { return server_; }
  LineTrouble trouble() const override { return {}; }
  bool own_certificate_has_expired() const override { return false; }

  Charter introduce() override { return *message_.charter; }
  void attend(Index agent, const AgentFacts& facts, const Hello& hello) override;
  // Throws MessageDone behind the last letter, and at once when the letters are for another state than this agent's.
  Letter next() override;
  void drop_line() override {}
  void give_up() override {}

  // The server's word comes with the next message; until then the update counts as held.
  Standing upload(const Upload& upload) override;
  Standing ask(const Attempt& /*attempt*/) override { return {Standing::Kind::kHeld, 0, {}}; }
  bool beat(Token /*token*/) override { return true; }
  void report(const Failure& settling) override { answer_.failures.push_back(settling); }
  void report(const EvaluationReport& report) override { answer_.evaluations.push_back(report); }
  void leave() override { answer_.leaves = true; }

 private:
  const std::string server_ = "the server";
  const RelayMessage& message_;
  RelayAnswer& answer_;
  bool is_for_us_ = false;
  std::size_t read_ = 0;
};

// Whether both say the same of an agent's state.
bool same_state(const Hello& one, const Hello& other);

}  // namespace fedstein
