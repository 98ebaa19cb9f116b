// SPDX-License-Identifier: Apache-2.0
// A federation over the two relays with a carrier that is cranked by hand: every message is an event at which something
// may go wrong. Agents are made anew for every message and servers after every crash, as an engine does it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/relay/agent_relay.h"
#include "fedstein/relay/server_relay.h"
#include "support/temporary_folder.h"

namespace fedstein {

struct RelayCase {
  std::string algorithm = "c-dsvgd";
  Index agents = 3;
  Index rounds = 4;
  std::string setting = {};             // KEY=VALUE, one that differs from its default
  std::string server_table = {};        // further lines of [server]
  std::string scheduler = {};           // empty: all agents, or one in turn
  std::string scaling = "standardise";  // none for parity with a federation in this process
};

// What becomes of one message.
enum class Fate {
  kDelivered,
  kLostTask,         // the node never gets it, and nobody says so
  kLostReply,        // the agent works, and nobody hears of it
  kEngineFails,      // the node never gets it, and the engine says so
  kEngineFailsLate,  // the agent works, and the engine says that it failed
  kServerDies,       // before the node gets it
  kServerDiesLate,   // after the agent has worked
  kDoubled,          // the answer comes twice
};

const std::vector<Fate>& all_fates();  // but for kDelivered

class RelayWorld {
 public:
  explicit RelayWorld(RelayCase which);

  FederationPlan plan() const;
  AgentData data(Index agent) const;
  std::string state_of(Index agent) const { return folder_.path("agent-" + std::to_string(agent)); }
  std::string server_state() const { return folder_.path("server"); }
  static std::string name_of(Index agent) { return "agent-" + std::to_string(agent); }

  // The nodes that the engine sees: by their names, what sits there. May be changed at any time.
  struct Station {
    std::string name = {};
    std::string state = {};
    Index rows_of = 0;
    std::string key = {};
    std::string forget_factor = {};
  };
  std::map<std::string, Station> nodes;
  ServerRelayOptions options;
  // What happens to the n-th message, counted from 1 over all servers.
  std::function<Fate(int event, const RelayDispatch& dispatch)> fate;
  // May change an answer on its way.
  std::function<Parcel(const RelayDispatch& dispatch, Parcel answer)> tamper;

  // Until the run is over, with as many servers as that takes. Throws what the run throws.
  ServedRun run();
  // Opens a server and cranks until `done` says so, or the run is over, or so many seconds have passed.
  bool crank(const std::function<bool()>& done, double seconds = 20);
  void stop_server() { server_.reset(); }
  ServerRelay& server();
  Parcel answer_of(const std::string& node, const Parcel& message);

  int events() const { return events_; }
  // What servers and agents had to say.
  bool was_told(const std::string& part) const;
  std::string all_told() const;
  // Of the rounds so far.
  std::vector<RoundRecord> records() const;

  struct Result {
    Particles particles;
    std::vector<std::string> states;
  };
  Result in_process() const;
  std::vector<std::string> states() const;

 private:
  void deliver(const RelayDispatch& dispatch);
  void tell(const std::string& line);

  RelayCase which_;
  TemporaryFolder folder_;
  std::vector<OwnRows> rows_;
  int events_ = 0;
  mutable std::mutex mutex_;  // of the two below, which the server's thread fills
  std::vector<std::string> told_;
  std::vector<RoundRecord> records_;
  std::unique_ptr<ServerRelay> server_;  // has a thread that tells; goes first
};

}  // namespace fedstein
