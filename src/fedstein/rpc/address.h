// SPDX-License-Identifier: Apache-2.0
// Addresses as people write them: HOST:PORT, [HOST]:PORT for IPv6.
#pragma once

#include <string>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/rpc/descriptor.h"

namespace fedstein {

// Throws InvalidArgument when an address has no host, no port, or a port that is not least_port to 65535. `who` begins
// the sentence.
void check_address(const char* who, const std::string& address, int least_port);

// Whether an address is this machine's own.
bool is_loopback(const std::string& address);

// A place to serve at that is taken, or not this machine's.
class AddressUnavailable : public ErrorOf<ErrorKind::kUnavailable> {
 public:
  using ErrorOf::ErrorOf;
};

// Sockets that listen at an address, none of which waits: one for each address that a host name stands for, all with
// the same port. Port 0: any. A wildcard stands for IPv4 and IPv6 alike. Throws AddressUnavailable.
struct Listeners {
  std::vector<Descriptor> sockets = {};
  int port = 0;
};
Listeners listen_at(const std::string& address);

}  // namespace fedstein
