// SPDX-License-Identifier: Apache-2.0
// What a server must never forget. Every function is one durable transaction: when it returns, no crash can undo it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/exchange/exchange_messages.h"
#include "fedstein/federated/observer.h"

namespace fedstein {

// What an agent declared when it first came: later the same, or it is refused.
struct Enrolment {
  Index agent = 0;
  Index rows = 0;
  Index features = 0;
  std::string statistics = {};  // additive sums for the scaling, encoded by whoever uses them; may be empty
};

// A reply of the open round. token 0: the server's own, for an agent whose time was over.
struct HeldReply {
  Token token = 0;
  Reply reply = {};
};

// An agent's last upload that was folded.
struct FoldedUpload {
  Index round = 0;
  Token token = 0;
  double weight = 0;
};

struct JournalContents {
  std::string run = {};  // the federation's identity
  std::map<Index, Enrolment> enrolments = {};
  Index closed_round = 0;         // the last round that is over
  std::string server_state = {};  // ServerSide::save() after it; empty: as made
  Token last_token = 0;
  std::map<Index, Token> attempts = {};       // of the open round: each agent's latest
  std::map<Index, HeldReply> replies = {};    // of the open round
  std::map<Index, FoldedUpload> folded = {};  // each agent's last
};

// The end of a round.
struct RoundClosing {
  Index round = 0;
  std::string server_state = {};
  std::map<Index, FoldedUpload> folded = {};  // of this round
  std::vector<Failure> failures = {};         // who did not take part, and why
  RoundRecord record = {};                    // for whoever reads the run later
};

class Journal {
 public:
  virtual ~Journal() = default;
  virtual JournalContents load() const = 0;
  virtual void enrol(const Enrolment& enrolment) = 0;
  // The agent's enrolment is as if it had never come; before the first round is over.
  virtual void drop_enrolment(Index agent) = 0;
  // Tokens are spent, one for each of these agents; before their tasks leave.
  virtual void open_attempts(Index round, const std::map<Index, Token>& tokens) = 0;
  // A reply has come in; before it is acknowledged.
  virtual void hold(Index round, Index agent, const HeldReply& held) = 0;
  // The round is folded; attempts and replies of it are over; before any agent hears of it.
  virtual void close_round(const RoundClosing& closing) = 0;
  // The agent's operator has given its factor up after `round`: its data counts twice from here on.
  virtual void record_forgotten(Index agent, Index round) = 0;
};

}  // namespace fedstein
