// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/exchange/exchange_messages.h"
#include "fedstein/federated/sides.h"

namespace fedstein {

// Bounds that do not depend on the round.
struct UploadLimits {
  std::int64_t most_bytes = 0;  // of the numbers; 0: no bound
  double norm_bound = 0;        // Euclidean, of every row of every matrix; 0: no bound
  double update_bound = 0;      // relative to the belief and to what others sent, see size_suspicion; 0: no bound
};

// What is wrong with an upload, as a word to count by and a sentence to log; empty word: nothing.
struct Suspicion {
  std::string kind = {};
  std::string sentence = {};
  bool none() const { return kind.empty(); }
};

// The upload of an attempt that is known to be the current one, before it touches anything: its round, its author, its
// size, its norm, and last the algorithm's own objection (shapes, finite values). A pure function.
Suspicion suspicion_of(
    const Upload& upload, const Attempt& attempt, Index agent, const UploadLimits& limits, const ServerSide& server);

// The largest row norm of each matrix.
std::vector<double> sizes_of(const Belief& belief);

// An update far larger than everything it can be compared with. Of its i-th matrix that is: the task's i-th matrix, or
// the task's largest where it has none, at least 1; and, once others have sent updates, the median of their i-th
// matrices. Up to `bound` times the larger of the two is allowed; as long as nobody else has sent anything, whose scale
// could tell (sums over many rows, features of odd units), the square of that.
Suspicion size_suspicion(const std::vector<double>& update,
                         const std::vector<double>& task,
                         const std::vector<std::vector<double>>& others,
                         double bound);

// The most bytes of numbers that one message may hold, from the belief that travels: an algorithm's update may hold
// some matrices more than its task (gradients, control variates), never many.
std::int64_t payload_cap(const Belief& belief);

}  // namespace fedstein
