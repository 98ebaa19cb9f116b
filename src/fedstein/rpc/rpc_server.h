// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fedstein/exchange/reception.h"
#include "fedstein/rpc/address.h"
#include "fedstein/rpc/front_door.h"
#include "fedstein/trust/certificate.h"

namespace fedstein {

// TLS 1.2 without a cipher that our keys can use: OpenSSL and gRPC 1.51 have no other way to leave it out. The list
// names RSA ciphers only, the federation's keys are EC, so a handshake below 1.3 finds nothing in common; TLS 1.3 has
// ciphers of its own that this list does not touch. It is the value of gRPC's environment variable
// GRPC_SSL_CIPHER_SUITES, which gRPC reads at its first use of TLS in a process: require_tls_1_3() sets it, and must
// come before that.
void require_tls_1_3();
inline constexpr const char* kTls13OnlyCipherSuites = "ECDHE-RSA-AES256-GCM-SHA384";

struct ServerTrust {
  KeyPair own = {};
  std::string authority = {};              // PEM
  std::string revocation_list = {};        // path; read again whenever it changes
  std::function<std::int64_t()> now = {};  // seconds since 1970; none: the system's clock
};

struct RpcServerOptions {
  std::string address = "127.0.0.1:0";  // port 0: any
  // Without trust callers name themselves, and the address must be this machine's own (loopback).
  std::optional<ServerTrust> trust = {};
  std::int64_t most_message_bytes = 4 << 20;
  // For every agent of the desk two more connections may be unidentified than this says.
  DoorLimits door = {};
};

// The desk's door to the network: TLS, identities, message sizes, and what a connection may cost. Serves until it is
// destroyed.
class RpcServer {
 public:
  // Borrows the desk. Throws InvalidArgument, TrustError or AddressUnavailable.
  RpcServer(const RpcServerOptions& options, Reception& desk);
  ~RpcServer();
  int port() const;
  // What is wrong with the revocation list's file at the moment; empty: nothing.
  std::string trust_trouble() const;
  DoorStatus door() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace fedstein
