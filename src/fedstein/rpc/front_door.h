// SPDX-License-Identifier: Apache-2.0
// The server's listening sockets. gRPC 1.51 would listen itself, but its listener never comes back from a process that
// has run out of descriptors (CVE-2023-4785), and it keeps connections that say nothing for as long as they please.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "fedstein/federated/transport.h"
#include "fedstein/rpc/address.h"
#include "fedstein/rpc/closings.h"
#include "fedstein/rpc/descriptor.h"
#include "fedstein/rpc/door_status.h"

namespace fedstein {

struct DoorLimits {
  // Connections on which no agent has called yet. Beyond that many the oldest is closed, of the address that has most.
  std::size_t most_unidentified = 256;
  double unidentified_seconds = 10;
  // So much time each connection gets, however many wait behind it: enough for a handshake.
  double least_seconds = 0.1;
  std::size_t most_per_agent = 8;
  std::size_t agents = 1;
  // What a connection may have sent beyond the messages of its agent's calls. gRPC 1.51 keeps a message until it is
  // whole and only then looks at its size.
  std::int64_t most_unasked_bytes = 64 << 20;
  int reserved_descriptors = 64;  // for files, the status page and libraries; fewer where the process may have few
};

// Accepts connections, hands them on and watches over them: a thread of its own.
class FrontDoor {
 public:
  // Owns the descriptor from then on.
  using Take = std::function<void(int descriptor)>;
  using Tell = std::function<void(const std::string& sentence)>;

  // Listens, and accepts nobody yet. Raises the process's soft limit of descriptors as far as the limits need it and
  // the hard limit allows. Throws AddressUnavailable.
  FrontDoor(const std::string& address, const DoorLimits& limits, Tell tell);
  ~FrontDoor();
  FrontDoor(const FrontDoor&) = delete;
  FrontDoor& operator=(const FrontDoor&) = delete;

  int port() const { return listeners_.port; }
  void open(Take take);
  // Accepts nobody any more; connections that were handed on stay as they are.
  void close();
  // An agent has called with a message of so many bytes; peer as gRPC writes it: ipv4:127.0.0.1:1234,
  // ipv6:%5B::1%5D:1234. From any thread.
  void called(const std::string& peer, Index agent, std::int64_t bytes);
  // A handshake has failed; whether it is the first of a series. From any thread.
  bool count_failed_handshake();
  DoorStatus status() const;

 private:
  struct Connection {
    // The same socket as the one that was handed on, by another number: closing it is noticed, and shutting it down
    // ends both.
    Descriptor handle = Descriptor();
    std::string peer = {};
    std::string host = {};
    Clock::time_point since = {};
    Index agent = -1;
    std::int64_t asked_bytes = 0;  // of its calls
  };
  using Connections = std::map<std::uint64_t, Connection>;  // in the order of their coming

  void work();
  std::vector<const Descriptor*> watch_until_something_happens();
  void admit(const Descriptor& listener);
  void give_up_newcomer();
  bool descriptors_left() const;
  void look_for_shortage(Clock::time_point now);
  bool make_room(Clock::time_point now);
  void close_silent(Clock::time_point now);
  void close_greedy();
  bool close_for_room(Clock::time_point now);
  void end(Connections::iterator which, Closings::Reason reason);
  void forget(Connections::iterator which);
  void tell_of_closings(Clock::time_point now);

  DoorLimits limits_;
  Tell tell_;
  Take take_;
  Listeners listeners_;
  Descriptor wake_;  // the end of the pipe by which close() wakes the thread
  Descriptor waker_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
  bool pausing_ = false;  // the thread's own: newcomers wait in the system's queue

  mutable std::mutex mutex_;  // of everything below; never held while connections are handed on
  Connections connections_;
  std::unordered_map<std::string, std::uint64_t> by_peer_;
  std::uint64_t last_ = 0;
  std::size_t unidentified_ = 0;
  DoorStatus counts_;
  Closings closings_;
  Clock::time_point last_pass_ = {};
  Clock::time_point short_since_ = Clock::time_point::max();  // of descriptors
  std::string broken_ = {};
};

}  // namespace fedstein
