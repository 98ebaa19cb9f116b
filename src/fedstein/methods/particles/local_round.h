// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/state.h"

namespace fedstein {

// One round as its agent saw it: all that distilling it needs.
struct LocalRound {
  Index number = 0;
  Index version = 0;  // of `before`; 0: the prior itself
  Particles before;   // of q(i-1), as received
  Particles after;    // of the agent's update
};

inline void write(StateWriter& writer, const std::optional<LocalRound>& round) {
  writer.integer(round ? 1 : 0);
  if (!round) return;
  writer.integer(round->number);
  writer.integer(round->version);
  writer.matrix(round->before);
  writer.matrix(round->after);
}

// Throws BadState unless its particle sets are `particles` x `dimension`.
inline std::optional<LocalRound> read_round(StateReader& reader, Index particles, Index dimension) {
  if (reader.integer() == 0) return std::nullopt;
  LocalRound round;
  round.number = reader.integer();
  round.version = reader.integer();
  round.before = reader.matrix();
  round.after = reader.matrix();
  expect_shape(round.before, particles, dimension);
  expect_shape(round.after, particles, dimension);
  return round;
}

inline Index size_of(const std::optional<LocalRound>& round) {
  return round ? round->before.size() + round->after.size() : 0;
}

}  // namespace fedstein
