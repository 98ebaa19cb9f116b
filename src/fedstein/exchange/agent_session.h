// SPDX-License-Identifier: Apache-2.0
// The agent's half of the exchange as a value: no threads, no clock, no network. Whatever the server may come to count
// on is on disk before it is said. docs/protocol.md is its picture.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fedstein/exchange/exchange_messages.h"
#include "fedstein/federated/sides.h"

namespace fedstein {

// One record, replaced as a whole: a crash leaves the old one or the new one, never something between.
class AgentDisk {
 public:
  virtual ~AgentDisk() = default;
  virtual std::optional<std::string> read() const = 0;
  virtual void replace(const std::string& record) = 0;
  // The factor is given up: the record, if there is one, is kept under a name of its own and read() finds none. Gives
  // the place; empty when there was no record.
  virtual std::string set_aside() = 0;
};

// What an agent keeps between messages.
struct AgentRecord {
  std::string run = {};
  Index agent = 0;
  Index settled = 0;            // the last round whose update was folded and settled
  std::string rows = {};        // a digest of the rows that it learns from, as the workshop makes it; may be empty
  std::string side_state = {};  // AgentSide::save(); with an update in hand: after it
  std::optional<Upload> pending = {};
};
std::string bytes_of(const AgentRecord& record);
// Throws BadState.
AgentRecord agent_record_from(std::string_view bytes);
// How an agent with this record presents itself.
Hello hello_of(const AgentRecord& record);

class AgentSession {
 public:
  // A new agent of a federation; `settled` above 0: its factor was given up.
  AgentSession(std::string run, Index agent, Index settled, std::string rows = {});
  // One that goes on. The side gets its state back.
  AgentSession(AgentRecord record, AgentSide& side);

  Hello hello() const { return hello_of(record_); }
  // Computes, and has the result on disk before it returns it for sending. Nothing: the offer is not for now (an
  // earlier attempt waits for its verdict, or the round is one that was settled).
  std::optional<Upload> on_offer(const Offer& offer, AgentSide& side, AgentDisk& disk);
  // The server's word on an attempt; one that is not in hand is ignored. `send`: the upload is to be sent again.
  struct Outcome {
    bool send = false;
    std::optional<Failure> failure = {};  // of the settling: the server should know
  };
  Outcome on_standing(const Attempt& attempt, const Standing& standing, AgentSide& side, AgentDisk& disk);

  const std::optional<Upload>& pending() const { return record_.pending; }
  Index settled() const { return record_.settled; }
  // What stands on disk after the last write, had there been one.
  const AgentRecord& record() const { return record_; }

 private:
  Attempt in_hand() const;

  AgentRecord record_;
};

}  // namespace fedstein
