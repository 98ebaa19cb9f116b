// SPDX-License-Identifier: Apache-2.0
// The server's half of the exchange as a value: no threads, no clock, no network. What must survive a crash goes
// through the journal before it has an effect; everything else may be lost. docs/protocol.md is its picture.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fedstein/exchange/journal.h"
#include "fedstein/exchange/upload_check.h"

namespace fedstein {

// What becomes of an agent whose lease is over.
enum class OnLapse {
  kWait,  // the same agent again, with a new token: the run equals an undisturbed one
  kSkip,  // the round goes on without it; the journal says so
};

class ServerSession {
 public:
  explicit ServerSession(const JournalContents& contents, const UploadLimits& limits = {});

  // --- the round loop's side -----------------------------------------------------------------------------------------

  // The tasks of the round after the last closed one. Replies that the journal holds of it count already.
  void open(const std::vector<Task>& tasks);
  // Whether every task of the open round has its reply.
  bool complete() const;
  Index updates_held() const;
  bool holds_update(Index agent) const;
  std::vector<Index> missing() const;
  // Ends the exchange: the agents that are missing get `failure` in the journal, so that a restart sees the same round.
  std::vector<Reply> take(Journal& journal, Failure::Kind failure, const std::string& reason);
  // The round is folded. Returns what the agents should hear.
  struct Folded {
    RoundRecord record = {};
    std::string server_state = {};  // ServerSide::save() after it
  };
  std::map<Index, Notice> close(const std::vector<Verdict>& verdicts, const Folded& folded, Journal& journal);

  // --- the agents' side ----------------------------------------------------------------------------------------------

  // Why the agent's state and the server's record cannot both be true; empty: welcome, and attached. Must be asked
  // before anything else that the agent wants.
  std::string on_hello(Index agent, const Hello& hello, Journal& journal);
  // What the server knows of an attempt.
  Standing standing(Index agent, const Attempt& attempt) const;
  // Who has work that is not in its hands: attached, waited for, and without a token that it knows of.
  std::vector<Index> idle() const;
  // Work for these agents, all of them idle: new tokens, journalled together before this returns.
  std::map<Index, Offer> offer(const std::vector<Index>& agents, Journal& journal);
  // Any answer but kLater may be told to the agent. The suspicion is for the log and the counters.
  struct Receipt {
    Standing standing = {};
    Suspicion suspicion = {};
  };
  Receipt on_upload(Index agent, const Upload& upload, const ServerSide& server, Journal& journal);
  void on_detach(Index agent);
  // The agent's lease is over.
  void on_lapse(Index agent, OnLapse policy, Journal& journal);
  // The open round goes on without this agent, as if it had said so itself. Nothing, when it is not waited for.
  void pass_over(Index agent, Failure::Kind kind, const std::string& reason, Journal& journal);

  // --- for whoever watches -------------------------------------------------------------------------------------------

  Index closed_round() const { return record_.closed_round; }
  Index open_round() const { return is_open_ ? record_.closed_round + 1 : 0; }
  const std::string& run() const { return record_.run; }
  // The token that an agent works under, or 0.
  Token current_token(Index agent) const;
  Index last_folded(Index agent) const;
  std::string save() const;  // everything in memory, for tests that compare worlds

 private:
  bool is_waited_for(Index agent) const;
  bool is_idle(Index agent) const;
  Suspicion size_suspicion(Index agent, const std::vector<double>& update) const;
  void spend_tokens(const std::vector<Index>& agents, Journal& journal);

  JournalContents record_;  // as the journal has it; its two large members are left empty
  UploadLimits limits_;
  bool is_open_ = false;
  std::map<Index, Task> tasks_;
  std::set<Index> attached_;
  std::set<Index> engaged_;                     // attached, and known to have the current token in hand
  std::map<Index, Index> forgotten_;            // the round after which each agent gave its factor up, if it did
  std::map<Index, std::vector<double>> sizes_;  // of each agent's last good update; lost with a crash
};

}  // namespace fedstein
