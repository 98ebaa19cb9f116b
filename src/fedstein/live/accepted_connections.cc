// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/accepted_connections.h"

#include <linux/tcp.h>
#include <netinet/in.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace fedstein {
namespace {

sockaddr_storage own_address(int socket) {
  sockaddr_storage out = {};
  socklen_t size = sizeof out;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&out), &size) != 0) return {};
  return out;
}

sockaddr_in as_4(const sockaddr_storage& address) {
  sockaddr_in out = {};
  std::memcpy(&out, &address, sizeof out);
  return out;
}

sockaddr_in6 as_6(const sockaddr_storage& address) {
  sockaddr_in6 out = {};
  std::memcpy(&out, &address, sizeof out);
  return out;
}

// A listener at all addresses accepts at each of them.
bool covers(const sockaddr_storage& listener, const sockaddr_storage& other) {
  if (listener.ss_family != other.ss_family) return false;
  if (listener.ss_family == AF_INET) {
    const sockaddr_in here = as_4(listener);
    const sockaddr_in there = as_4(other);
    return here.sin_port == there.sin_port &&
           (here.sin_addr.s_addr == htonl(INADDR_ANY) || here.sin_addr.s_addr == there.sin_addr.s_addr);
  }
  if (listener.ss_family != AF_INET6) return false;
  const sockaddr_in6 here = as_6(listener);
  const sockaddr_in6 there = as_6(other);
  return here.sin6_port == there.sin6_port &&
         (std::memcmp(&here.sin6_addr, &in6addr_any, sizeof here.sin6_addr) == 0 ||
          std::memcmp(&here.sin6_addr, &there.sin6_addr, sizeof here.sin6_addr) == 0);
}

std::uint64_t received(int socket) {
  tcp_info facts = {};
  socklen_t size = sizeof facts;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &facts, &size) != 0) return 0;
  return facts.tcpi_bytes_received;
}

// Numbers of everything that this process has open.
std::vector<int> open_numbers() {
  std::vector<int> out;
  std::error_code problem;
  std::filesystem::directory_iterator entry("/proc/self/fd", problem);
  for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
    out.push_back(std::stoi(entry->path().filename().string()));
  }
  return out;
}

}  // namespace

AcceptedConnections::AcceptedConnections(int listener) : address_(own_address(listener)) {}

bool AcceptedConnections::holds(int socket) const {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens != 0) return false;
  return covers(address_, own_address(socket));
}

// By their own numbers: a copy of a file's number would, when it is closed, release the locks that the process has on
// that file. Should an owner close one meanwhile and another connection get its number, that one ends: agents come
// again, and so do browsers.
void AcceptedConnections::end_beyond(std::uint64_t bytes) const {
  for (const int number : open_numbers()) {
    if (holds(number) && received(number) >= bytes) shutdown(number, SHUT_RDWR);
  }
}

}  // namespace fedstein
