// SPDX-License-Identifier: Apache-2.0
// The name of a connection's other end, as the system and as gRPC know it.
#pragma once

#include <sys/socket.h>

#include <string>

namespace fedstein {

struct PeerName {
  std::string whole = {};  // ipv4:127.0.0.1:1234, ipv6:[::1]:1234
  std::string host = {};
};

// gRPC's words for an address: IPv4 that came by IPv6 is IPv4.
PeerName peer_name(const sockaddr_storage& address);

// gRPC writes some characters as %5B.
std::string decoded_peer(const std::string& peer);

}  // namespace fedstein
