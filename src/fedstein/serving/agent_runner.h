// SPDX-License-Identifier: Apache-2.0
// An agent at work: connects, says hello, computes what it is offered, and begins again whenever the line breaks.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "fedstein/exchange/agent_link.h"
#include "fedstein/exchange/agent_session.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// What the runner does not know: the configuration's meaning, the data, the algorithm.
class AgentWorkshop {
 public:
  virtual ~AgentWorkshop() = default;
  // The federation as the server describes it; what this agent is in it. Throws when it cannot take part.
  virtual AgentFacts prepare(const Charter& charter) = 0;
  virtual std::unique_ptr<AgentSide> make_side(const Beginning& beginning) = 0;
  // Why a task cannot be this federation's: matrices of other shapes, numbers that are not finite. Empty: it can.
  virtual std::string objection(const Task& task) const = 0;
  // How well the particles after a round predict this agent's test rows; nothing when it has too few, or when the
  // configuration does not want this round evaluated.
  virtual std::optional<EvaluationReport> evaluate(Index round, const Matrix& particles) = 0;
  // One line for the log.
  virtual void on_event(const std::string& event) = 0;
};

struct AgentRunnerOptions {
  bool forget_factor = false;
  double first_backoff_seconds = 0.1;  // doubles with every failure; the wait is drawn between half of it and all
  double most_backoff_seconds = 10;
  std::uint64_t jitter_seed = 0;  // so that a thousand agents do not come back in the same instant
  bool tells_arrival = true;      // false: whoever makes a runner for every message has said it once
  std::function<void(const std::string& line)> on_round = {};  // a line for every round that this agent took part in
};

class AgentRunner {
 public:
  // Borrows everything.
  AgentRunner(AgentLink& link, AgentDisk& disk, AgentWorkshop& workshop, const AgentRunnerOptions& options);
  ~AgentRunner();

  enum class Ending { kRunIsOver, kStopped };
  // Throws TurnedAway, and what the workshop and the disk throw.
  Ending run();
  // From any thread: after the work in hand, if there is some.
  void stop();

 private:
  bool is_stopping();
  void introduce();
  void report_unfit(ErrorKind kind);                // that the workshop cannot prepare
  void report_lost_line(const std::string& words);  // throws TurnedAway when no later try can succeed
  void check_is_ours(const AgentRecord& record) const;
  bool attend_once();  // true: the run is over
  void on_beginning(const Beginning& beginning);
  void on_offer(const Offer& offer);
  void on_standing(const Attempt& attempt, const Standing& standing);
  void send_pending();
  bool on_letter(const Letter& letter);
  bool back_off();  // false: stopped meanwhile
  void beat_while_running();
  void beat();
  void evaluate();
  void report_again(Index from);

  AgentLink& link_;
  AgentDisk& disk_;
  AgentWorkshop& workshop_;
  AgentRunnerOptions options_;
  Rng jitter_;
  Charter charter_;
  AgentFacts facts_;
  Beginning beginning_;
  bool introduced_ = false;
  std::unique_ptr<AgentSide> side_;
  std::optional<AgentSession> session_;
  double backoff_;
  // Of a lost line, since the last letter.
  std::int64_t tries_ = 0;
  std::string found_reason_ = {};  // by looking; empty: what the failed call said is all that is known
  std::string told_reason_ = {};
  std::chrono::steady_clock::time_point told_ = {};
  std::atomic<Token> in_hand_{0};
  // The particles after a round, to be evaluated when an upload has left. A line that breaks with the upload does not
  // take them along.
  struct Unevaluated {
    Index round = 0;
    Particles particles = {};
  };
  std::optional<Unevaluated> unevaluated_;
  // The latest, oldest first: a server that was killed may have lost what it was told last.
  std::deque<EvaluationReport> reported_;

  std::mutex mutex_;  // of the two below
  std::condition_variable woken_;
  bool stopping_ = false;
  bool attended_ = false;
  std::thread heart_;
};

}  // namespace fedstein
