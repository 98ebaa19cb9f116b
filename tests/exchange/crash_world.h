// SPDX-License-Identifier: Apache-2.0
// A server, its agents, their disks and the network between them as one value, for a search over everything that can go
// wrong: every order in which messages arrive, a crash of either side before and after every durable write, cut
// connections, doubled uploads, leases that run out. It drives the very classes that the product runs.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/toy_sides.h"
#include "fedstein/exchange/agent_session.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/exchange/server_session.h"
#include "fedstein/federated/scheduler.h"

namespace fedstein {

struct WorldOptions {
  Index agents = 2;
  Index rounds = 3;
  int faults = 2;  // how many in all, of any kind
  OnLapse on_lapse = OnLapse::kWait;
  bool careless_disk = false;  // a mistake on purpose: agents upload before their record is durable
  const Scheduler* scheduler = nullptr;
};

class CrashWorld {
 public:
  explicit CrashWorld(const WorldOptions& options);

  // Every world that one step leads to. `name` says which step, for the trace of a failure.
  struct Successor;
  std::vector<Successor> successors() const;

  bool is_finished() const;    // all rounds closed, every agent alive with nothing in hand
  std::string result() const;  // belief and agents' states
  std::string fingerprint() const;
  const std::vector<std::vector<Index>>& realised() const { return journal_.realised(); }

 private:
  struct Server {
    ServerSession session;
    ToyServer side;
  };
  struct Agent {
    AgentSession session;
    ToyAgent side;
    bool connected = false;
  };
  struct Letter {  // from the server, in order
    std::optional<Offer> offer = {};
    Notice notice = {};
  };
  struct Answer {  // to an upload, in any order
    std::size_t agent = 0;
    Notice notice = {};
  };
  class Writes;
  class Log;
  class Disk;
  using Step = std::function<void(CrashWorld&, Writes&)>;

  void add(std::vector<Successor>& out, const std::string& name, const Step& step, int victim) const;
  void add_server_steps(std::vector<Successor>& out) const;
  void add_agent_steps(std::vector<Successor>& out, std::size_t k) const;
  void add_network_faults(std::vector<Successor>& out) const;

  void start_server();
  void crash_server(bool losing_uploads);
  void start_agent(std::size_t k);
  void crash_agent(std::size_t k);
  void cut(std::size_t k, bool losing_uploads);
  void hello(std::size_t k, Writes& writes);
  void finish_round(Writes& writes);
  void hear(std::size_t k, const Letter& letter, Writes& writes);
  void drop_uploads(std::size_t k);

  WorldOptions options_;
  int faults_left_;
  MemoryJournal journal_{"run"};
  std::vector<std::optional<std::string>> disks_;
  std::optional<Server> server_;
  std::vector<std::optional<Agent>> agents_;
  std::vector<std::deque<Letter>> letters_;
  std::vector<std::pair<std::size_t, Upload>> uploads_;  // on their way
  std::vector<Answer> answers_;
};

struct CrashWorld::Successor {
  std::string name;
  CrashWorld world;
};

}  // namespace fedstein
