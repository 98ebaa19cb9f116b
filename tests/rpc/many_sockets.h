// SPDX-License-Identifier: Apache-2.0
// Connections as a stranger opens them: plain TCP, in any number, to loopback.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "fedstein/rpc/descriptor.h"

namespace fedstein {

inline Descriptor connect_to(int port) {
  Descriptor out(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!out.open() || connect(out.number(), reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
    throw std::runtime_error("no connection to port " + std::to_string(port));
  }
  return out;
}

class ManySockets {
 public:
  // Each sends `words` and then nothing.
  ManySockets(int port, std::size_t count, const std::string& words = {}) {
    for (std::size_t k = 0; k < count; ++k) {
      sockets_.push_back(connect_to(port));
      // One that is closed already takes nothing.
      if (!words.empty()) send(sockets_.back().number(), words.data(), words.size(), MSG_NOSIGNAL);
    }
  }
  // Waits until the other side has closed so many, for half a minute at most; how many it has closed.
  std::size_t wait_for_closed(std::size_t wanted) const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::size_t closed = 0;
    while (closed < wanted && std::chrono::steady_clock::now() < limit) {
      std::vector<pollfd> open;
      for (const Descriptor& socket : sockets_) open.push_back({socket.number(), POLLRDHUP, 0});
      poll(open.data(), open.size(), 100);
      closed = 0;
      for (const pollfd& one : open) closed += one.revents != 0 ? 1 : 0;
    }
    return closed;
  }
  void close() { sockets_.clear(); }

 private:
  std::vector<Descriptor> sockets_;
};

}  // namespace fedstein
