// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/observer.h"
#include "fedstein/federated/scheduler.h"
#include "fedstein/federated/sides.h"
#include "fedstein/federated/transport.h"

namespace fedstein {

struct CoordinatorOptions {
  Index first_round = 1;  // above 1 when a run is resumed
  Index rounds = 10;      // the last round's number
  int retries = 0;        // how often a round that nobody answered well is tried again with the same agents
  std::chrono::duration<double> patience = std::chrono::hours(24 * 365);  // per exchange
};

// The round loop: pick, plan, exchange, fold, settle, observe. Everything else is a collaborator that it was handed.
//
// An agent that fails, times out, or whose update the server objects to is recorded and passed over; a round without a
// single good update leaves the belief as it was, and the run goes on. Returns the number of the last round done.
Index coordinate(ServerSide& server,
                 const Scheduler& scheduler,
                 Transport& transport,
                 Observer& observer,
                 const CoordinatorOptions& options);

}  // namespace fedstein
