// SPDX-License-Identifier: Apache-2.0
// Where the round loop and the agents' calls meet: the server's session with a lock, a clock and the agents' lines. It
// is the Transport of a networked federation, and knows nothing of gRPC.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/exchange/server_session.h"
#include "fedstein/federated/transport.h"
#include "fedstein/rpc/desk_status.h"
#include "fedstein/rpc/push_line.h"

namespace fedstein {

struct DeskOptions {
  std::vector<std::string> agents = {};  // names, by number
  std::string document = {};             // the charter's
  std::string algorithm = {};
  Index dimension = 0;
  double lease_seconds = 30;
  OnLapse on_lapse = OnLapse::kWait;
  double quorum = 1;  // share of a round's agents whose updates are enough once the deadline has passed
  UploadLimits limits = {};
};

// Thrown out of the round loop by stop(): everything is in the journal, and a restart goes on from there.
class ServingStopped : public std::exception {
 public:
  const char* what() const noexcept override { return "serving was stopped; it goes on where it is when restarted"; }
};

// Why a caller does not get what it wants. kLater: it may try again, with this.
struct Denial {
  enum class Kind { kStranger, kRefused, kLater };
  Kind kind = Kind::kRefused;
  std::string reason = {};
};

class ServerDesk : public Transport {
 public:
  // Borrows the journal, which is used under the desk's lock only.
  ServerDesk(const DeskOptions& options, Journal& journal);

  // --- the server's own thread ---------------------------------------------------------------------------------------

  // What every agent has enrolled with, once all have. Throws ServingStopped.
  std::vector<Enrolment> wait_for_enrolment();
  // From now on there can be rounds. Borrows the server side.
  void begin(const ServerSide& server);
  std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) override;
  std::vector<Failure> settle(const std::vector<Verdict>& verdicts) override;
  // The run is over: tells every agent, now or when it comes, and waits until all have left or the time is up.
  void finish(const Farewell& farewell, Clock::time_point deadline);
  // From any thread, at any time.
  void stop();

  // --- calls of agents, from any thread ------------------------------------------------------------------------------

  // The number of the agent that this name belongs to.
  std::optional<Index> number_of(const std::string& name) const;
  const std::string& name_of(Index agent) const { return options_.agents[static_cast<std::size_t>(agent)]; }
  Charter charter(Index agent) const;
  // A hello. On success letters go to the line until it is detached or another one takes its place.
  std::optional<Denial> attend(Index agent,
                               const AgentFacts& facts,
                               const Hello& hello,
                               std::shared_ptr<PushLine> line);
  void detach(Index agent, const PushLine* line);
  Standing upload(Index agent, const Upload& upload);
  Standing ask(Index agent, const Holding& attempt);
  // Whether the token is still the agent's current one; its lease begins anew. A beat of another process than the one
  // that attends says nothing about that one.
  bool beat(Index agent, Token token, std::uint64_t instance);
  void report_failure(Index agent, const Failure& failure);
  void report_calibration(Index agent, const CalibrationCounts& counts);
  void leave(Index agent);

  // --- counters ------------------------------------------------------------------------------------------------------

  void count_refusal(std::optional<Index> agent, const std::string& kind);
  // A caller that TLS itself has turned away. Takes no lock: gRPC may tell of it from inside a call of ours.
  void count_handshake_refusal() { ++handshake_refusals_; }
  void count_bytes(Index agent, std::int64_t in, std::int64_t out);
  DeskStatus status() const;

 private:
  struct Seat {
    std::shared_ptr<PushLine> line = {};
    std::uint64_t instance = 0;           // of the process that attends
    Clock::time_point heard = {};         // its last hello or heartbeat
    std::uint64_t challenger = 0;         // another process of the same name that wants the seat
    Clock::time_point challenge = {};     // when it first did
    std::optional<Holding> holding = {};  // as the hello said, until it is answered
    Clock::time_point lease = {};
    bool lapsed = false;  // and not heard of since
    AgentStatus counters = {};
  };
  Seat& seat(Index agent) { return seats_[static_cast<std::size_t>(agent)]; }
  std::optional<Denial> rivalry(Index agent, std::uint64_t instance);
  std::optional<Denial> enrol(Index agent, const AgentFacts& facts);
  bool all_enrolled() const;
  void welcome(Index agent);
  void offer_work();
  void renew_lease(Index agent);
  void handle_lapses(Clock::time_point now);
  Clock::time_point next_wake(Clock::time_point deadline) const;
  bool may_close(Clock::time_point deadline) const;

  DeskOptions options_;
  Journal& journal_;
  mutable std::mutex mutex_;  // of everything below
  std::condition_variable changed_;
  ServerSession session_;
  std::map<Index, Enrolment> enrolments_;
  const ServerSide* server_ = nullptr;
  std::vector<Seat> seats_;
  std::vector<Failure> late_failures_;
  std::optional<Farewell> farewell_;
  std::int64_t payload_up_ = 0;
  std::int64_t payload_down_ = 0;
  std::map<std::string, std::int64_t> stranger_refusals_;
  bool stopping_ = false;
  std::atomic<std::int64_t> handshake_refusals_{0};  // not under the lock
};

}  // namespace fedstein
