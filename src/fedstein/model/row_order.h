// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fedstein/numeric/rng.h"

namespace fedstein {

// The rows 0 .. count-1 in an order drawn uniformly at random, place after place and only as far as asked for (Fisher
// and Yates from the front): a round of 200 small batches of a large shard must not pay for shuffling all of it.
class RowOrder {
 public:
  // Begins a new order of `count` rows (below 2^32), drawn from a stream's beginning.
  void restart(Index count, const Rng& rng);
  // Makes sure that the places before `end` are drawn; those drawn earlier do not change.
  void draw_up_to(Index end);
  Index operator[](Index place) const { return static_cast<Index>(order_[static_cast<std::size_t>(place)]); }

 private:
  std::uint32_t below(std::uint32_t bound);

  std::vector<std::uint32_t> order_;
  std::optional<Rng> rng_;
  Index drawn_ = 0;
  std::uint64_t word_ = 0;  // random bits not used yet: the upper half of a word
  bool half_left_ = false;
};

}  // namespace fedstein
