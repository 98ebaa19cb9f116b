// SPDX-License-Identifier: Apache-2.0
// The nodes of a foreign engine as the agents of a desk: who is asked for its name, who is to say hello, whom letters
// wait for, and what becomes of an answer. A value but for its desk: no threads, and the clock is told.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/exchange/reception.h"
#include "fedstein/federated/transport.h"
#include "fedstein/relay/letter_queue.h"
#include "fedstein/relay/parcel.h"
#include "fedstein/relay/relay_messages.h"
#include "fedstein/relay/seat_keys.h"

namespace fedstein {

// A node, as the engine names it.
struct RelayNode {
  std::string id = {};
  std::string key = {};  // that it has shown the engine; empty: not known
};

// A message for a node.
struct RelayDispatch {
  enum class Kind { kHello, kWork, kSettle };
  std::int64_t serial = 0;
  std::string node = {};
  Kind kind = Kind::kHello;
  Parcel parcel = {};
};
const char* name_of(RelayDispatch::Kind kind);

struct RelayHubOptions {
  std::int64_t most_bytes = 0;  // of an answer; 0: no bound
  double lease_seconds = 30;    // of the desk's agents: nodes that the engine sees are alive
  // How often the engine may fail with one task before the round goes on without the agent. Until then it is offered
  // again: the run then equals an undisturbed one.
  int tries = 3;
  // A node that the engine sees and that does not answer is asked for its hello after this time, and after four times
  // its longest answer: an engine may lose a message and never say so.
  double probe_seconds = 15;
  double first_pause_seconds = 1;  // after trouble; doubles
  double most_pause_seconds = 60;
};

class RelayHub {
 public:
  // Borrows desk and keys. `keys` null: seats are not bound to keys.
  RelayHub(Reception& desk, const RelayHubOptions& options, SeatKeys* keys);

  // The nodes that the engine sees at the moment.
  void see(const std::vector<RelayNode>& present, Clock::time_point now);
  // What is to be sent now. Every one of them is answered by take() or fail(), or never.
  std::vector<RelayDispatch> dispatches(Clock::time_point now);
  // The answer to a dispatch, from anybody: believed as far as it was checked.
  void take(std::int64_t serial, const Parcel& answer, Clock::time_point now);
  // The engine's word that there will be no answer.
  void fail(std::int64_t serial, Failure::Kind kind, const std::string& reason, Clock::time_point now);

  // How many nodes it remembers: those that are there, and the last that went.
  std::size_t nodes() const { return nodes_.size(); }

  // Rings when there may be something to send.
  RelayBell& bell() { return *bell_; }

 private:
  struct Sent {
    Clock::time_point at = {};
    bool asks_for_name = false;
  };
  struct Node {
    std::string id = {};
    std::string key = {};
    bool present = false;
    std::optional<Index> agent = {};
    std::shared_ptr<LetterQueue> line = {};     // null: no hello was accepted
    Hello addressed = {};                       // the one that was
    std::map<std::int64_t, Sent> waiting = {};  // serial numbers without an answer
    std::optional<Attempt> offered = {};
    Clock::time_point gone = {};  // where it is not present
    Clock::time_point not_before = {};
    Clock::time_point beaten = {};
    Clock::time_point heard = {};       // its last answer that could be read
    Clock::time_point challenged = {};  // when another node wanted its seat; it is asked whether it is still there
    double pause_seconds = 0;
    double longest_answer_seconds = 0;
    int failures = 0;  // with the task in hand
    bool told_to_wait = false;
    bool left = false;
  };

  std::uint64_t instance_of(const Node& node) const { return checksum_of(node.id) | 1U; }
  RelayDispatch send(Node& node, RelayDispatch::Kind kind, Clock::time_point now);
  RelayDispatch ask_for_hello(Node& node, Clock::time_point now);
  RelayDispatch send_letters(Node& node, Clock::time_point now);
  bool wants_probe(const Node& node, Clock::time_point now) const;
  Clock::duration probe_after(const Node& node) const;
  void take_name(Node& node, const std::string& name, Clock::time_point now);
  void take_arrival(Node& node, const RelayAnswer& answer, Clock::time_point now);
  bool attend(Node& node, const RelayArrival& arrival, Clock::time_point now);
  bool seat_is_free(const Node& node, Clock::time_point now);
  void upload(Node& node, const Upload& upload);
  void take_reports(Node& node, const RelayAnswer& answer);
  void forget_the_gone();
  void hang_up(Node& node);
  void wait_no_more(Node& node);
  void pause(Node& node, Clock::time_point now);
  void refuse(Node& node, const std::string& kind, const std::string& reason, Clock::time_point now);
  std::string described(const Node& node) const;

  Reception& desk_;
  RelayHubOptions options_;
  SeatKeys* keys_;
  std::shared_ptr<RelayBell> bell_ = std::make_shared<RelayBell>();
  std::map<std::string, Node> nodes_;            // by id
  std::map<std::int64_t, std::string> sent_to_;  // serial number -> node, as long as an answer is waited for
  std::int64_t serial_ = 0;
};

}  // namespace fedstein
