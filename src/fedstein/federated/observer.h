// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/federated/messages.h"

namespace fedstein {

// What there is to say about one round.
struct RoundRecord {
  Index round = 0;
  std::vector<Index> scheduled = {};
  std::vector<Index> folded = {};      // whose update was taken in; empty: the belief is as it was
  std::vector<Failure> failures = {};  // one per mishap, retries included
  double seconds = 0;                  // of exchange and fold, on this machine
  std::int64_t bytes_down = 0;         // numbers sent to agents and received from them
  std::int64_t bytes_up = 0;
  double spread = 0;                           // root of the mean per-coordinate variance of the particles
  std::map<std::string, double> figures = {};  // what observers add: ksd, free_energy, accuracy, ...
};

enum class Next { kContinue, kStop };

// Watches a run. May add figures to the record and ask for a stop; cannot change the run otherwise.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual Next on_round(RoundRecord& record, const Particles& particles) = 0;
};

// sqrt of the mean over coordinates of the particles' variance; 0 for one particle.
double particle_spread(const Particles& particles);

}  // namespace fedstein
