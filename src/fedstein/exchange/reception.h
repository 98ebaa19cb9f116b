// SPDX-License-Identifier: Apache-2.0
// What agents can ask of a server, whatever carries their calls. Every function may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fedstein/exchange/letters.h"
#include "fedstein/exchange/push_line.h"

namespace fedstein {

// Why a caller does not get what it wants. kLater: it may try again, with this.
struct Denial {
  enum class Kind { kStranger, kRefused, kLater };
  Kind kind = Kind::kRefused;
  std::string reason = {};
};

class Reception {
 public:
  virtual ~Reception() = default;

  virtual Index agents() const = 0;  // how many there are
  // The number of the agent that this name belongs to.
  virtual std::optional<Index> number_of(const std::string& name) const = 0;
  virtual const std::string& name_of(Index agent) const = 0;
  virtual Charter charter(Index agent) const = 0;
  // A hello. On success letters go to the line until it is detached or another one takes its place.
  virtual std::optional<Denial> attend(Index agent,
                                       const AgentFacts& facts,
                                       const Hello& hello,
                                       std::shared_ptr<PushLine> line) = 0;
  virtual void detach(Index agent, const PushLine* line) = 0;
  virtual Standing upload(Index agent, const Upload& upload) = 0;
  virtual Standing ask(Index agent, const Attempt& attempt) = 0;
  // Whether the token is still the agent's current one; its lease begins anew. A beat of another process than the one
  // that attends says nothing about that one.
  virtual bool beat(Index agent, Token token, std::uint64_t instance) = 0;
  // Why the report is not taken; empty: it is.
  virtual std::string report_failure(Index agent, const Failure& failure) = 0;
  virtual std::string report_evaluation(Index agent, const EvaluationReport& report) = 0;
  virtual void leave(Index agent) = 0;

  // --- what the carrier notices --------------------------------------------------------------------------------------

  // A call that the carrier turns away; no agent: a stranger's. `kind` is a word to count by.
  virtual void refused(std::optional<Index> agent, const std::string& kind, const std::string& reason) = 0;
  // One more of a series whose first was told by refused(): counted like it, without a line of its own.
  virtual void refused_again(std::optional<Index> agent, const std::string& kind, const std::string& reason) = 0;
  // Something the operator should know that is no refusal of one caller, by a word to count by.
  virtual void noticed(const std::string& kind, const std::string& what) = 0;
  virtual void count_bytes(Index agent, std::int64_t in, std::int64_t out) = 0;
  // Asked about agents that are waited for: why no call of this one would be taken (its certificate is revoked); empty:
  // nothing is known against it. An empty function takes the question back.
  virtual void ask_for_bars(std::function<std::string(Index agent)> bar) = 0;
};

}  // namespace fedstein
