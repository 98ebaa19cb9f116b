// SPDX-License-Identifier: Apache-2.0
// What travels between server and agents: plain values, without behaviour and without a trace of any wire format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// What a server believes, or what an agent answers: matrices whose meaning the algorithm knows. The first is the
// particles (N x d) of a particle method, the mean of a Gaussian one, the weights of a point method.
using Belief = std::vector<Matrix>;

// Bytes of the numbers alone, as they travel: headers are the transport's affair.
std::int64_t payload_bytes(const Belief& belief);

// What became of an agent's earlier upload.
struct Verdict {
  Index round = 0;  // of the upload
  Index agent = 0;
  bool folded = false;  // false: lost, late or refused; the agent must forget it
  double weight = 1;    // with which it was folded (rho of the parallel methods)
};

// One round's work for one agent.
struct Task {
  Index round = 0;    // 1, 2, ...
  Index agent = 0;    // 0 .. K-1
  Index version = 0;  // how many rounds the belief has taken in; 0: nobody's data, the prior itself
  Belief belief;
  std::optional<Verdict> verdict;  // on this agent's previous upload, for methods that settle with their next task
};

struct Update {
  Index round = 0;
  Index agent = 0;
  Belief belief;
};

// An agent that fails is a value that the loop handles, not an exception.
struct Failure {
  enum class Kind { kLost, kTimedOut, kDiverged, kRefused, kBroken };
  Index round = 0;
  Index agent = 0;
  Kind kind = Kind::kLost;
  std::string reason;
};
const char* name_of(Failure::Kind kind);

using Reply = std::variant<Update, Failure>;

}  // namespace fedstein
