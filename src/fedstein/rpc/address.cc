// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/address.h"

#include <optional>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

struct HostAndPort {
  std::string host = {};
  std::string port = {};
};

// Nothing: not of this form. Colons in a host need brackets.
std::optional<HostAndPort> split(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  HostAndPort out{address.substr(0, colon), address.substr(colon + 1)};
  if (out.host.front() == '[' && out.host.back() == ']') {
    out.host = out.host.substr(1, out.host.size() - 2);
  } else if (out.host.find(':') != std::string::npos) {
    return std::nullopt;
  }
  if (out.host.empty() || out.host.find_first_of(" /[]") != std::string::npos) return std::nullopt;
  return out;
}

bool is_port(const std::string& text, int least) {
  constexpr std::size_t kMostDigits = 5;
  constexpr int kMost = 65535;
  if (text.empty() || text.size() > kMostDigits) return false;
  if (text.find_first_not_of("0123456789") != std::string::npos) return false;
  const int port = std::stoi(text);
  return port >= least && port <= kMost;
}

}  // namespace

void check_address(const char* who, const std::string& address, int least_port) {
  const std::optional<HostAndPort> parts = split(address);
  check_argument(parts && is_port(parts->port, least_port), who, [&] {
    return "the address is '" + address + "'; allowed: HOST:PORT or [ADDRESS]:PORT, with a port of " +
           std::to_string(least_port) + " to 65535";
  });
}

bool is_loopback(const std::string& address) {
  const std::optional<HostAndPort> parts = split(address);
  return parts && (parts->host == "localhost" || parts->host == "::1" || parts->host.rfind("127.", 0) == 0);
}

}  // namespace fedstein
