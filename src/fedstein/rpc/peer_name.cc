// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/peer_name.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>

namespace fedstein {
namespace {

PeerName named(const char* family, const std::string& host, in_port_t port) {
  return {std::string(family) + ":" + host + ":" + std::to_string(ntohs(port)), host};
}

std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, address, text.data(), text.size()) == nullptr ? std::string() : std::string(text.data());
}

}  // namespace

PeerName peer_name(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& place = reinterpret_cast<const sockaddr_in&>(address);
    return named("ipv4", text_of(AF_INET, &place.sin_addr), place.sin_port);
  }
  const auto& place = reinterpret_cast<const sockaddr_in6&>(address);
  if (IN6_IS_ADDR_V4MAPPED(&place.sin6_addr)) {
    constexpr std::size_t kPrefix = 12;
    return named("ipv4", text_of(AF_INET, place.sin6_addr.s6_addr + kPrefix), place.sin6_port);
  }
  std::string host = text_of(AF_INET6, &place.sin6_addr);
  if (place.sin6_scope_id != 0) host += "%" + std::to_string(place.sin6_scope_id);
  return named("ipv6", "[" + host + "]", place.sin6_port);
}

std::string decoded_peer(const std::string& peer) {
  constexpr std::size_t kDigits = 2;
  constexpr int kHexadecimal = 16;
  std::string out;
  for (std::size_t k = 0; k < peer.size(); ++k) {
    const std::string digits = peer.substr(k + 1, kDigits);
    const bool coded = peer[k] == '%' && digits.size() == kDigits &&
                       digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (coded) {
      out += static_cast<char>(std::stoi(digits, nullptr, kHexadecimal));
      k += kDigits;
    } else {
      out += peer[k];
    }
  }
  return out;
}

}  // namespace fedstein
