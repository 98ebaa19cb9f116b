// SPDX-License-Identifier: Apache-2.0
// A federation's server behind an engine that others operate: the desk, journal, record and round loop of
// `fedstein serve`, with messages as bytes in the place of a listening port. Whoever carries them asks for dispatches
// and brings answers; nothing here knows which engine that is.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fedstein/relay/relay_hub.h"
#include "fedstein/serving/federation_server.h"

namespace fedstein {

struct ServerRelayOptions {
  FederationServerOptions server = {};
  RelayHubOptions hub = {};  // its bound of bytes and its lease are the server's
  // Each seat is bound to the key of the node that takes it first, for as long as the state folder lives.
  bool binds_keys = false;
};

class ServerRelay {
 public:
  // Opens the state folder that the plan names and begins to serve. Throws what FederationServer throws.
  explicit ServerRelay(FederationPlan federation, ServerRelayOptions options = {});
  // Stops; what was held is in the journal, and the next one goes on from there.
  ~ServerRelay();
  ServerRelay(const ServerRelay&) = delete;
  ServerRelay& operator=(const ServerRelay&) = delete;

  // All of these from any thread.
  void see(const std::vector<RelayNode>& present);
  // Waits up to so many seconds until there is something to send, or the run is over.
  std::vector<RelayDispatch> dispatches(double patience_seconds);
  void take(std::int64_t serial, const Parcel& answer);
  void fail(std::int64_t serial, Failure::Kind kind, const std::string& reason);
  bool is_over() const;
  void stop();
  // After is_over() or stop(): how the run ended, or what it threw (ServingStopped, NobodyLeft, ...).
  ServedRun result();

  FederationServer& server() { return server_; }
  const FederationServer& server() const { return server_; }

 private:
  void serve();

  FederationServer server_;
  std::optional<SeatKeys> keys_;
  mutable std::mutex mutex_;  // of the hub and of how the run ended
  RelayHub hub_;
  std::optional<ServedRun> run_;
  std::exception_ptr problem_;
  std::thread thread_;
};

}  // namespace fedstein
