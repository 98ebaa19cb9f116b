// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "fedstein/exchange/agent_link.h"
#include "fedstein/trust/certificate.h"

namespace fedstein {

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

// An agent's connection to the server by gRPC.
class GrpcAgentLink : public AgentLink {
 public:
  // Connects to nobody yet. Throws InvalidArgument or TrustError for what can be found wrong here and now.
  explicit GrpcAgentLink(const AgentLinkOptions& options);
  ~GrpcAgentLink() override;

  const std::string& server() const override;
  // One handshake, on a connection of its own.
  LineTrouble trouble() const override;
  bool own_certificate_has_expired() const override;
  Charter introduce() override;
  void attend(Index agent, const AgentFacts& facts, const Hello& hello) override;
  Letter next() override;
  void drop_line() override;
  void give_up() override;
  Standing upload(const Upload& upload) override;
  Standing ask(const Attempt& attempt) override;
  bool beat(Token token) override;
  void report(const Failure& settling) override;
  void report(const EvaluationReport& report) override;
  void leave() override;

 private:
  class Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace fedstein
