// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/state.h"

namespace fedstein {

inline Index size_of(const std::vector<Matrix>& values) {
  Index size = 0;
  for (const Matrix& value : values) size += value.size();
  return size;
}

// What an agent will keep of a round once the server has folded its update: agents change in settle(), never in
// update().
class PendingUpdate {
 public:
  // Replaces what waited before: an update may be asked for twice.
  void wait(Index round, std::vector<Matrix> values) {
    round_ = round;
    values_ = std::move(values);
  }

  // What waited for this verdict, if the update was folded. Nothing waits after its verdict, whatever it was; the
  // verdict of another round changes nothing.
  std::optional<std::vector<Matrix>> settle(const Verdict& verdict) {
    if (round_ == 0 || round_ != verdict.round) return std::nullopt;
    round_ = 0;
    std::vector<Matrix> values = std::exchange(values_, {});
    if (!verdict.folded) return std::nullopt;
    return values;
  }

  // Of the update that waits; 0: none does.
  Index round() const { return round_; }
  // Empty when nothing waits.
  const std::vector<Matrix>& values() const { return values_; }

  void write(StateWriter& writer) const {
    writer.integer(round_);
    writer.matrices(values_);
  }
  // The owner must check the values.
  static PendingUpdate read(StateReader& reader) {
    PendingUpdate pending;
    pending.round_ = reader.integer();
    pending.values_ = reader.matrices();
    if (pending.round_ < 0 || (pending.round_ == 0 && !pending.values_.empty())) {
      throw BadState("saved state: an update that waits for round " + std::to_string(pending.round_));
    }
    return pending;
  }

 private:
  Index round_ = 0;  // 0: none
  std::vector<Matrix> values_;
};

}  // namespace fedstein
