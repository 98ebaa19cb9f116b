// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstdint>

namespace fedstein {

// The connections that a listening socket has accepted. The HTTP library shows them to nobody. It takes headers without
// end, and when it ends it waits for every caller: one that sends a byte now and then would keep the program from
// ending.
class AcceptedConnections {
 public:
  // A socket that is bound already; it may be closed afterwards.
  explicit AcceptedConnections(int listener);
  // Those that have sent at least so many bytes: whoever reads or writes one of them finds it closed.
  void end_beyond(std::uint64_t bytes) const;

 private:
  bool holds(int socket) const;

  sockaddr_storage address_ = {};
};

}  // namespace fedstein
