// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/received_bytes.h"

// glibc's header ends before the field that is wanted here; the kernel's cannot be included beside it.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

namespace fedstein {

std::int64_t received_bytes(const Descriptor& connection) {
  tcp_info facts = {};
  socklen_t size = sizeof facts;
  if (getsockopt(connection.number(), IPPROTO_TCP, TCP_INFO, &facts, &size) != 0) return 0;
  constexpr std::size_t kNeeded = offsetof(tcp_info, tcpi_bytes_received) + sizeof facts.tcpi_bytes_received;
  return size < kNeeded ? 0 : static_cast<std::int64_t>(facts.tcpi_bytes_received);
}

}  // namespace fedstein
