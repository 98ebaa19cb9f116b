// SPDX-License-Identifier: Apache-2.0
// Addresses as people write them: HOST:PORT, [HOST]:PORT for IPv6.
#pragma once

#include <string>

namespace fedstein {

// Throws InvalidArgument when an address has no host, no port, or a port that is not least_port to 65535. `who` begins
// the sentence.
void check_address(const char* who, const std::string& address, int least_port);

// Whether an address is this machine's own.
bool is_loopback(const std::string& address);

// Why nobody can listen there, in the system's words.
std::string bind_failure(const std::string& address);

}  // namespace fedstein
