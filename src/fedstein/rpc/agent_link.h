// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "fedstein/exchange/letters.h"
#include "fedstein/trust/certificate.h"

namespace fedstein {

// The network or the server is not there at the moment: worth another try.
class LineLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The server has refused, and would refuse again.
class TurnedAway : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct AgentLinkOptions {
  std::string server = {};  // HOST:PORT
  // Without a certificate of its own the agent calls itself by this name, and the server must be on this machine.
  std::string insecure_name = {};
  KeyPair own = {};
  std::string authority = {};  // PEM
  std::uint64_t instance = 0;  // drawn anew by every process, so that the server can tell two of one name apart
  double call_seconds = 60;    // after which a call counts as lost
  double most_backoff_seconds = 10;
  int most_message_bytes = 1 << 30;  // of a letter: a belief of 134 million numbers in double precision
};

// An agent's connection to the server: each call of the protocol as a function. Throws LineLost and TurnedAway. One
// thread may wait for letters while others call.
class AgentLink {
 public:
  // Connects to nobody yet. Throws InvalidArgument or TrustError for what can be found wrong here and now.
  explicit AgentLink(const AgentLinkOptions& options);
  ~AgentLink();

  const std::string& server() const;
  // After a lost line, for one that never was a line: why no later try can succeed; empty when one may. Takes a few
  // seconds and a connection of its own.
  std::string lasting_trouble() const;

  Charter introduce();
  // Opens the line of letters; an earlier one is dropped.
  void attend(Index agent, const AgentFacts& facts, const Hello& hello);
  // Waits for the next letter.
  Letter next();
  // From any thread: the line is given up, next() throws LineLost.
  void drop_line();
  // From any thread: for good. Calls throw LineLost from now on, those that wait for a connection at once.
  void give_up();

  Standing upload(const Upload& upload);
  Standing ask(const Holding& attempt);
  bool beat(Token token);
  void report(const Failure& settling);
  void report(const CalibrationCounts& counts);
  void leave();

 private:
  class Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace fedstein
