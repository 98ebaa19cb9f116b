// SPDX-License-Identifier: Apache-2.0
// Where the round loop and the agents' calls meet: the server's session with a lock, a clock and the agents' lines. It
// is the Transport of a networked federation, and knows nothing of what carries the calls.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/exchange/reception.h"
#include "fedstein/exchange/server_session.h"
#include "fedstein/federated/transport.h"
#include "fedstein/serving/desk_status.h"
#include "fedstein/serving/federated_evaluation.h"

namespace fedstein {

// What an agent may say of itself when it enrols, and what becomes of it.
struct EnrolmentRules {
  Index features = 0;          // columns of every agent's rows; 0: not known
  Index most_rows = 10000000;  // of one agent: its rows are its weight
  // Why these statistics cannot be taken beside those of the agents that enrolled before; empty: they can. Unset: none
  // are expected.
  std::function<std::string(const AgentFacts& facts, const std::map<Index, Enrolment>& enrolled)> objection = {};
  // All agents' statistics as one, the only form in which agents receive them. Unset: there are none.
  std::function<std::string(const std::vector<std::string>& of_each_agent)> total = {};
};

// What agents report of the beliefs that they evaluate, and who hears of it.
struct EvaluationRules {
  EvaluationShape shape = {.bins = 0, .fewest_rows = kFewestEvaluatedRows};  // its most_rows are those of an enrolment
  bool predicts = true;  // the model, so that there is something to evaluate
  Index every = 1;       // rounds: 1 * this, 2 * this, ... and the last
  Index from = 1;        // the first round of which agents are asked to report again: others are on disk
  // After each report that is taken, with the desk's lock held: it must not call the desk.
  std::function<void(const EvaluatedRound& round)> on_evaluated = {};
};

struct DeskOptions {
  std::vector<std::string> agents = {};  // names, by number
  std::string document = {};             // the charter's
  std::string algorithm = {};
  Index dimension = 0;
  EnrolmentRules enrolment = {};
  double lease_seconds = 30;
  OnLapse on_lapse = OnLapse::kWait;
  double quorum = 0;  // share of a round's agents whose updates it must have before it goes on at the deadline
  UploadLimits limits = {};
  EvaluationRules evaluation = {};
  EventLog::Tell on_event = {};  // gets the log's lines
};

// Thrown out of the round loop by stop(): everything is in the journal, and a restart goes on from there.
class ServingStopped : public std::exception {
 public:
  const char* what() const noexcept override { return "serving was stopped; it goes on where it is when restarted"; }
};

// Thrown out of the round loop: no agent is left that could take part.
class NobodyLeft : public ErrorOf<ErrorKind::kUnavailable> {
 public:
  using ErrorOf::ErrorOf;
};

class ServerDesk : public Transport, public Reception {
 public:
  // Borrows the journal, which is used under the desk's lock only.
  ServerDesk(const DeskOptions& options, Journal& journal);

  // --- the server's own thread ---------------------------------------------------------------------------------------

  // What every agent has enrolled with, once all have. Throws ServingStopped.
  std::vector<Enrolment> wait_for_enrolment();
  // From now on there can be rounds. The side is kept for as long as calls may ask for it: an agent's upload can come
  // at any time, while the server stops too. Returns the statistics of all agents together, as they are told.
  std::string begin(std::shared_ptr<const ServerSide> server);
  std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) override;
  std::vector<Failure> settle(const std::vector<Verdict>& verdicts, const RoundRecord& record) override;
  std::optional<std::vector<Index>> able() override;
  // The run is over: tells every agent, now or when it comes, and waits until all have left or the time is up.
  void finish(const Farewell& farewell, Clock::time_point deadline);
  // From any thread, at any time.
  void stop();

  // --- calls of agents: see Reception --------------------------------------------------------------------------------

  Index agents() const override { return static_cast<Index>(options_.agents.size()); }
  std::optional<Index> number_of(const std::string& name) const override;
  const std::string& name_of(Index agent) const override { return options_.agents[static_cast<std::size_t>(agent)]; }
  Charter charter(Index agent) const override;
  std::optional<Denial> attend(Index agent,
                               const AgentFacts& facts,
                               const Hello& hello,
                               std::shared_ptr<PushLine> line) override;
  void detach(Index agent, const PushLine* line) override;
  Standing upload(Index agent, const Upload& upload) override;
  Standing ask(Index agent, const Attempt& attempt) override;
  bool beat(Index agent, Token token, std::uint64_t instance) override;
  std::string report_failure(Index agent, const Failure& failure) override;
  std::string report_evaluation(Index agent, const EvaluationReport& report) override;
  void leave(Index agent) override;
  void refused(std::optional<Index> agent, const std::string& kind, const std::string& reason) override;
  void refused_again(std::optional<Index> agent, const std::string& kind, const std::string& reason) override;
  void noticed(const std::string& kind, const std::string& what) override;
  void count_bytes(Index agent, std::int64_t in, std::int64_t out) override;
  void ask_for_bars(std::function<std::string(Index agent)> bar) override;

  DeskStatus status() const;

 private:
  struct Seat {
    std::shared_ptr<PushLine> line = {};
    std::uint64_t instance = 0;           // of the process that attends
    Clock::time_point heard = {};         // its last hello or heartbeat
    std::uint64_t challenger = 0;         // another process of the same name that wants the seat
    Clock::time_point challenge = {};     // when it first did
    std::optional<Attempt> in_hand = {};  // as the hello said, until it is answered
    Clock::time_point lease = {};
    bool lapsed = false;             // and not heard of since
    bool skipped = false;            // because it lapsed, and it has not come back
    Clock::time_point offered = {};  // when its task left
    Clock::time_point due = {};      // of its update
    bool overdue = false;
    int misses = 0;              // deadlines in a row
    double answer_seconds = -1;  // how long its last good update took; below 0: there was none
    Index reported_round = 0;    // of the last settling that it said has failed
    bool evaluates = false;
    std::string bar = {};  // why it cannot take part; empty: it can
    AgentStatus counters = {};
  };
  Seat& seat(Index agent) { return seats_[static_cast<std::size_t>(agent)]; }
  const Seat& seat(Index agent) const { return seats_[static_cast<std::size_t>(agent)]; }
  static void note_away(Seat& seat, const std::string& why);
  std::optional<Denial> rivalry(Index agent, std::uint64_t instance);
  std::string enrolment_objection(Index agent, const AgentFacts& facts) const;
  void enrol(Index agent, const AgentFacts& facts);
  bool all_enrolled() const;
  void welcome(Index agent);
  void offer_work();
  void keep_predicting();
  void renew_lease(Index agent);
  void handle_lapses(Clock::time_point now);
  void skip_the_absent(Clock::time_point now);
  void handle_overdue(Clock::time_point now);
  void look_for_bars();
  void tell_of_waiting(Clock::time_point now, const std::string& what, const std::vector<Index>& agents);
  bool somebody_is_there(Clock::time_point now) const;
  std::chrono::duration<double> patience_with(Index agent, std::chrono::duration<double> whole) const;
  Clock::time_point next_wake() const;
  bool may_close() const;

  DeskOptions options_;
  Journal& journal_;
  EventLog events_;           // has a lock of its own
  mutable std::mutex mutex_;  // of everything below
  std::condition_variable changed_;
  ServerSession session_;
  std::map<Index, Enrolment> enrolments_;
  std::string total_statistics_;
  std::shared_ptr<const ServerSide> server_;
  std::vector<Seat> seats_;
  std::vector<Failure> late_failures_;
  FederatedEvaluation evaluation_;
  Particles predicting_;  // of the open round, for agents that evaluate; empty: tasks begin with them
  std::optional<Farewell> farewell_;
  std::function<std::string(Index agent)> bar_;
  Clock::time_point next_waiting_ = {};  // when the log says next for whom the round waits
  Clock::duration waiting_pause_ = {};
  std::int64_t payload_up_ = 0;
  std::int64_t payload_down_ = 0;
  bool stopping_ = false;
};

}  // namespace fedstein
