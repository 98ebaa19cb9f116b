// SPDX-License-Identifier: Apache-2.0
// The thread that accepts and watches. Whom it closes, and why: front_door_rules.cc.
#include "fedstein/rpc/front_door.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "fedstein/rpc/descriptor_limit.h"
#include "fedstein/rpc/peer_name.h"

namespace fedstein {
namespace {

constexpr int kDescriptorsEach = 2;  // gRPC's and ours

int most_descriptors(const DoorLimits& limits) {
  constexpr std::size_t kOthers = 128;  // files, pipes, the status page
  const std::size_t connections = limits.most_unidentified + limits.most_per_agent * limits.agents;
  return static_cast<int>(kDescriptorsEach * connections + kOthers) + limits.reserved_descriptors;
}

}  // namespace

FrontDoor::FrontDoor(const std::string& address, const DoorLimits& limits, Tell tell)
    : limits_(limits), tell_(std::move(tell)), listeners_(listen_at(address)) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw AddressUnavailable("cannot serve at " + address + ": " + std::strerror(errno));
  }
  wake_ = Descriptor(ends[0]);
  waker_ = Descriptor(ends[1]);
  const int limit = raise_descriptor_limit(most_descriptors(limits));
  limits_.reserved_descriptors = std::min(limits.reserved_descriptors, limit / 4);
  last_pass_ = Clock::now();
}

FrontDoor::~FrontDoor() {
  close();
}

void FrontDoor::open(Take take) {
  take_ = std::move(take);
  thread_ = std::thread([this] { work(); });
}

void FrontDoor::close() {
  stopping_ = true;
  waker_ = Descriptor();
  if (thread_.joinable()) thread_.join();
}

void FrontDoor::work() {
  while (!stopping_) {
    const std::vector<const Descriptor*> ready = watch_until_something_happens();
    const auto now = Clock::now();
    {
      const std::lock_guard lock(mutex_);
      last_pass_ = now;
      close_silent(now);
      close_greedy();
      look_for_shortage(now);
    }
    pausing_ = false;
    for (const Descriptor* listener : ready) admit(*listener);
    tell_of_closings(now);
  }
}

// Newcomers, connections that have ended, or time for the next look at the clock. Returns where newcomers wait.
std::vector<const Descriptor*> FrontDoor::watch_until_something_happens() {
  constexpr int kPauseMilliseconds = 20;
  constexpr int kLongestMilliseconds = 100;
  std::vector<pollfd> watched = {{wake_.number(), 0, 0}};
  std::vector<std::uint64_t> ids;
  const std::size_t first = watched.size() + listeners_.sockets.size();
  {
    const std::lock_guard lock(mutex_);
    for (const Descriptor& listener : listeners_.sockets) {
      // poll() skips negative numbers: a broken socket would be told again at once.
      watched.push_back({broken_.empty() ? listener.number() : -1, static_cast<short>(pausing_ ? 0 : POLLIN), 0});
    }
    for (const auto& [id, connection] : connections_) {
      ids.push_back(id);
      watched.push_back({connection.handle.number(), 0, 0});  // the end of both directions is always told
    }
  }
  if (poll(watched.data(), watched.size(), pausing_ ? kPauseMilliseconds : kLongestMilliseconds) <= 0) return {};
  std::vector<const Descriptor*> ready;
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 1; k < first; ++k) {
    if ((watched[k].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) broken_ = "the listening socket is broken";
    if (watched[k].revents == POLLIN) ready.push_back(&listeners_.sockets[k - 1]);
  }
  for (std::size_t k = first; k < watched.size(); ++k) {
    if (watched[k].revents == 0) continue;
    if (const auto found = connections_.find(ids[k - first]); found != connections_.end()) forget(found);
  }
  return ready;
}

// One newcomer, for which another one may have to go. No error ends the listener: what the system lacks now it may have
// in a moment.
void FrontDoor::admit(const Descriptor& listener) {
  {
    const std::lock_guard lock(mutex_);
    pausing_ = !make_room(Clock::now());
  }
  if (pausing_) return;
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  Descriptor socket(
      accept4(listener.number(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.open()) {
    const int error = errno;
    if (error == EAGAIN || error == EINTR || error == ECONNABORTED) return;
    const std::lock_guard lock(mutex_);
    give_up_newcomer();
    if (error == EBADF || error == EINVAL || error == ENOTSOCK) broken_ = std::strerror(error);
    return;
  }
  Descriptor handle(fcntl(socket.number(), F_DUPFD_CLOEXEC, 0));
  const int last_free = descriptor_limit() - limits_.reserved_descriptors;
  {
    const std::lock_guard lock(mutex_);
    if (!handle.open() || std::max(handle.number(), socket.number()) >= last_free) {
      give_up_newcomer();
      return;
    }
    const PeerName peer = peer_name(address);
    by_peer_[peer.whole] = ++last_;
    connections_[last_] = {std::move(handle), peer.whole, peer.host, Clock::now(), -1, 0};
    ++unidentified_;
    ++counts_.accepted;
  }
  take_(socket.release());
}

void FrontDoor::give_up_newcomer() {
  pausing_ = true;
  ++counts_.failed_accepts;
  closings_.note(Closings::Reason::kAccept, Clock::now());
}

void FrontDoor::tell_of_closings(Clock::time_point now) {
  std::string sentence;
  {
    const std::lock_guard lock(mutex_);
    sentence = closings_.due(now);
  }
  if (!sentence.empty() && tell_) tell_(sentence);
}

}  // namespace fedstein
