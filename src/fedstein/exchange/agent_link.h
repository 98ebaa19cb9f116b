// SPDX-License-Identifier: Apache-2.0
// An agent's way to its server, whatever carries it: each call of the protocol as a function.
#pragma once

#include <string>

#include "fedstein/base/error.h"
#include "fedstein/exchange/letters.h"

namespace fedstein {

// The network or the server is not there at the moment: worth another try.
class LineLost : public ErrorOf<ErrorKind::kUnavailable> {
 public:
  using ErrorOf::ErrorOf;
};

// The server has refused, and would refuse again.
class TurnedAway : public ErrorOf<ErrorKind::kRefused> {
 public:
  using ErrorOf::ErrorOf;
};

struct LineTrouble {
  bool lasting = false;       // no later try can succeed, unless somebody changes something
  std::string sentence = {};  // empty: nothing was found
};

// Calls throw LineLost and TurnedAway. One thread may wait for letters while others call.
class AgentLink {
 public:
  virtual ~AgentLink() = default;

  // Whom it calls, for people.
  virtual const std::string& server() const = 0;
  // After a lost line: why there is none, as far as can be told from here. May take a few seconds.
  virtual LineTrouble trouble() const = 0;
  // By this machine's clock. Without a certificate: false.
  virtual bool own_certificate_has_expired() const = 0;

  virtual Charter introduce() = 0;
  // Opens the line of letters; an earlier one is dropped.
  virtual void attend(Index agent, const AgentFacts& facts, const Hello& hello) = 0;
  // Waits for the next letter.
  virtual Letter next() = 0;
  // From any thread: the line is given up, next() throws LineLost.
  virtual void drop_line() = 0;
  // From any thread: for good. Calls throw LineLost from now on, those that wait for a connection at once.
  virtual void give_up() = 0;

  virtual Standing upload(const Upload& upload) = 0;
  virtual Standing ask(const Attempt& attempt) = 0;
  virtual bool beat(Token token) = 0;
  virtual void report(const Failure& settling) = 0;
  virtual void report(const EvaluationReport& report) = 0;
  virtual void leave() = 0;
};

}  // namespace fedstein
