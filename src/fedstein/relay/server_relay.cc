// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/server_relay.h"

#include <utility>

namespace fedstein {
namespace {

RelayHubOptions hub_options(RelayHubOptions options, const FederationServer& server) {
  const ServerPlan& plan = server.federation().server;
  options.most_bytes = server.most_message_bytes();
  options.lease_seconds = plan.lease_seconds;
  if (plan.skips_lapsed) options.tries = 1;
  return options;
}

std::optional<SeatKeys> seat_keys(bool binds, const FederationServer& server) {
  if (!binds) return std::nullopt;
  return SeatKeys(server.federation().server.state + "/seats");
}

}  // namespace

ServerRelay::ServerRelay(FederationPlan federation, ServerRelayOptions options)
    : server_(std::move(federation), std::move(options.server)),
      keys_(seat_keys(options.binds_keys, server_)),
      hub_(server_.desk(), hub_options(options.hub, server_), keys_ ? &*keys_ : nullptr),
      thread_([this] { serve(); }) {}

ServerRelay::~ServerRelay() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void ServerRelay::serve() {
  std::optional<ServedRun> run;
  std::exception_ptr problem;
  try {
    run = server_.run();
  } catch (...) {
    problem = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    run_ = std::move(run);
    problem_ = problem;
  }
  hub_.bell().ring();
}

void ServerRelay::see(const std::vector<RelayNode>& present) {
  const std::lock_guard lock(mutex_);
  hub_.see(present, Clock::now());
}

std::vector<RelayDispatch> ServerRelay::dispatches(double patience_seconds) {
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_seconds));
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      std::vector<RelayDispatch> out = hub_.dispatches(Clock::now());
      if (!out.empty() || run_ || problem_ || Clock::now() >= until) return out;
    }
    hub_.bell().wait_until(until);
  }
}

void ServerRelay::take(std::int64_t serial, const Parcel& answer) {
  const std::lock_guard lock(mutex_);
  hub_.take(serial, answer, Clock::now());
}

void ServerRelay::fail(std::int64_t serial, Failure::Kind kind, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  hub_.fail(serial, kind, reason, Clock::now());
}

bool ServerRelay::is_over() const {
  const std::lock_guard lock(mutex_);
  return run_ || problem_;
}

void ServerRelay::stop() {
  server_.desk().stop();
}

ServedRun ServerRelay::result() {
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  if (problem_) std::rethrow_exception(problem_);
  return *run_;
}

}  // namespace fedstein
