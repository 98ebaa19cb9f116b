// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "fedstein/rpc/address.h"

namespace fedstein {
namespace {

using Places = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

struct BoundSocket {
  Descriptor socket = Descriptor();
  int error = 0;
};

void set_option(const Descriptor& socket, int level, int name, int value) {
  setsockopt(socket.number(), level, name, &value, sizeof value);
}

int port_of(const Descriptor& socket) {
  sockaddr_storage place = {};
  socklen_t size = sizeof place;
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&place), &size) != 0) return 0;
  return ntohs(place.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(place).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(place).sin_port);
}

// port 0: what the place says.
BoundSocket listen_at(const addrinfo& place, int port) {
  sockaddr_storage name = {};
  std::memcpy(&name, place.ai_addr, place.ai_addrlen);
  if (port != 0) {
    const std::uint16_t number = htons(static_cast<std::uint16_t>(port));
    (place.ai_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(name).sin6_port
                                 : reinterpret_cast<sockaddr_in&>(name).sin_port) = number;
  }
  BoundSocket out{Descriptor(socket(place.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))};
  // A server that is started again does not wait for its old connections' last packets; a port that somebody listens
  // at stays taken. What is set here holds for the connections too.
  set_option(out.socket, SOL_SOCKET, SO_REUSEADDR, 1);
  set_option(out.socket, IPPROTO_TCP, TCP_NODELAY, 1);
  if (place.ai_family == AF_INET6) set_option(out.socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (!out.socket.open() ||
      bind(out.socket.number(), reinterpret_cast<const sockaddr*>(&name), place.ai_addrlen) != 0 ||
      listen(out.socket.number(), SOMAXCONN) != 0) {
    out.error = errno;
  }
  return out;
}

// A host name may stand for an address of a family that this machine does not have.
bool is_missing_family(int error) {
  return error == EAFNOSUPPORT || error == EADDRNOTAVAIL;
}

Places places_of(const std::string& host, const std::string& port, const std::string& address) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int code = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); code != 0) {
    throw AddressUnavailable("cannot serve at " + address + ": " + gai_strerror(code));
  }
  return {found, &freeaddrinfo};
}

struct Outcome {
  Listeners listeners = {};
  int error = 0;
};

Outcome listen_at_all(const addrinfo* places) {
  Outcome out;
  int missing = 0;
  for (const addrinfo* place = places; place != nullptr; place = place->ai_next) {
    BoundSocket attempt = listen_at(*place, out.listeners.port);
    if (attempt.error == 0) {
      out.listeners.port = port_of(attempt.socket);
      out.listeners.sockets.push_back(std::move(attempt.socket));
    } else if (is_missing_family(attempt.error)) {
      missing = attempt.error;
    } else {
      out.error = attempt.error;
    }
  }
  if (out.listeners.sockets.empty() && out.error == 0) out.error = missing;
  return out;
}

}  // namespace

Listeners listen_at(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  const std::string port = address.substr(colon + 1);
  // IPv6's wildcard takes IPv4 in; a machine without IPv6 has the other one.
  if (host == "0.0.0.0" || host == "::") {
    Outcome both = listen_at_all(places_of("::", port, address).get());
    if (both.error == 0) return std::move(both.listeners);
    if (host == "0.0.0.0" && is_missing_family(both.error)) {
      Outcome old = listen_at_all(places_of(host, port, address).get());
      if (old.error == 0) return std::move(old.listeners);
    }
    throw AddressUnavailable("cannot serve at " + address + ": " + std::strerror(both.error));
  }
  const Places places = places_of(host, port, address);
  // Any port of the first address may be taken at the second.
  constexpr int kTries = 16;
  int error = 0;
  for (int i = 0; i < kTries; ++i) {
    Outcome out = listen_at_all(places.get());
    if (out.error == 0) return std::move(out.listeners);
    error = out.error;
    if (port != "0" || error != EADDRINUSE) break;
  }
  throw AddressUnavailable("cannot serve at " + address + ": " + std::strerror(error));
}

}  // namespace fedstein
