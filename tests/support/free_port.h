// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace fedstein {

// A port of loopback that nobody uses at the moment: the kernel hands it out to others last.
inline int free_port() {
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  auto* address = reinterpret_cast<sockaddr*>(&place);
  const bool found = bind(socket_, address, size) == 0 && getsockname(socket_, address, &size) == 0;
  close(socket_);
  if (!found) throw std::runtime_error("free_port: there is none");
  return ntohs(place.sin_port);
}

}  // namespace fedstein
